import { asObject, asText, TemplateError } from './intrinsics.ts';
import type { FunctionModel, RotationModel, ScheduleModel } from './model.ts';
import { findFunction, type Resource } from './resources.ts';

const unitMilliseconds = { minute: 60_000, hour: 3_600_000 } as const;

/** Whether a schedule is switched on; one that is not invokes nothing. */
export function isScheduleEnabled(resource: Resource): boolean {
  return resource.get('State', asText, 'ENABLED') === 'ENABLED';
}

export function readSchedule(resource: Resource, functions: readonly FunctionModel[]): ScheduleModel {
  const { Arn, Input } = resource.get('Target', asObject);
  const where = `${resource.logicalId}.Target`;
  const target = functions.find(({ arn }) => arn === Arn);
  if (target === undefined) {
    throw new TemplateError(`${where}.Arn is ${JSON.stringify(Arn)}, which is no function of this template.`);
  }
  return {
    name: resource.logicalId,
    functionName: target.name,
    intervalMilliseconds: readInterval(resource),
    ...(Input === undefined ? {} : { input: readInput(asText(Input, `${where}.Input`), `${where}.Input`) }),
  };
}

export function readRotation(resource: Resource, functions: readonly FunctionModel[]): RotationModel {
  return {
    secretArn: resource.get('SecretId', asText),
    functionName: findFunction(resource, 'RotationLambdaARN', functions).name,
  };
}

function readInterval(resource: Resource): number {
  const expression = resource.get('ScheduleExpression', asText);
  const [, count, unit] = /^rate\(([1-9]\d{0,5}) (minute|hour)s?\)$/.exec(expression) ?? [];
  if (unit === 'minute' || unit === 'hour') return Number(count) * unitMilliseconds[unit];
  throw new TemplateError(
    `${resource.logicalId}.ScheduleExpression is "${expression}"; ` +
      'local mode emulates "rate(5 minutes)" and "rate(1 hour)", in whole numbers of them.',
  );
}

function readInput(input: string, where: string): unknown {
  try {
    return JSON.parse(input);
  } catch (cause) {
    throw new TemplateError(`${where} is ${JSON.stringify(input)}; expected JSON.`, { cause });
  }
}
