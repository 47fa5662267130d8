import { asList, asNumber, asObject, asText, TemplateError } from './intrinsics.ts';
import type {
  FunctionModel,
  MappingModel,
  RotationModel,
  ScheduleModel,
  StreamMappingModel,
} from './model.ts';
import { findFunction, type Resource } from './resources.ts';

/** Whether a mapping or a schedule is switched on; one that is not invokes nothing. */
export function isEnabled(resource: Resource): boolean {
  return (
    resource.get('Enabled', asText, 'true') !== 'false' &&
    resource.get('State', asText, 'ENABLED') === 'ENABLED'
  );
}

/** Whether a mapping reads from a stream, and not from a queue. */
export function readsStream(resource: Resource): boolean {
  return resource.get('EventSourceArn', asText).split(':')[2] === 'dynamodb';
}

export function readMapping(resource: Resource, functions: readonly FunctionModel[]): MappingModel {
  const { MaximumConcurrency } = resource.get('ScalingConfig', asObject, {});
  const where = `${resource.logicalId}.ScalingConfig.MaximumConcurrency`;
  return {
    ...readBatch(resource, functions, 10),
    queueArn: resource.get('EventSourceArn', asText),
    ...(MaximumConcurrency === undefined ? {} : { concurrencyMax: asNumber(MaximumConcurrency, where) }),
  };
}

/**
 * The starting position does not matter: a stream begins with its mapping here, and what was not handled
 * before a restart is handled after it.
 */
export function readStreamMapping(
  resource: Resource,
  functions: readonly FunctionModel[],
): StreamMappingModel {
  const failureQueueArn = readFailureDestination(resource);
  return {
    ...readBatch(resource, functions, 100),
    streamArn: resource.get('EventSourceArn', asText),
    parallelBatches: resource.get('ParallelizationFactor', asNumber, 1),
    bisectsBatches: resource.get('BisectBatchOnFunctionError', asText, 'false') === 'true',
    retriesMax: unlimited(resource.get('MaximumRetryAttempts', asNumber, -1)),
    recordAgeSecondsMax: unlimited(resource.get('MaximumRecordAgeInSeconds', asNumber, -1)),
    ...(failureQueueArn === undefined ? {} : { failureQueueArn }),
  };
}

function readBatch(resource: Resource, functions: readonly FunctionModel[], batchRecordsDefault: number) {
  const responseTypes = resource.get('FunctionResponseTypes', asList, []);
  return {
    name: resource.logicalId,
    functionName: findFunction(resource, 'FunctionName', functions).name,
    batchRecordsMax: resource.get('BatchSize', asNumber, batchRecordsDefault),
    windowSeconds: resource.get('MaximumBatchingWindowInSeconds', asNumber, 0),
    reportsItemFailures: responseTypes.includes('ReportBatchItemFailures'),
  };
}

function readFailureDestination(resource: Resource): string | undefined {
  const { OnFailure } = resource.get('DestinationConfig', asObject, {});
  if (OnFailure === undefined) return undefined;
  const where = `${resource.logicalId}.DestinationConfig.OnFailure`;
  const arn = asText(asObject(OnFailure, where)['Destination'], `${where}.Destination`);
  if (arn.split(':')[2] === 'sqs') return arn;
  throw new TemplateError(`${where}.Destination is "${arn}"; cdk-local emulates queues only.`);
}

/** Lambda writes "no limit" as -1. */
const unlimited = (bound: number): number => (bound === -1 ? Number.POSITIVE_INFINITY : bound);

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

function readInterval(resource: Resource): number {
  const expression = resource.get('ScheduleExpression', asText);
  const [, count, unit] = /^rate\(([1-9]\d{0,5}) (minute|hour)s?\)$/.exec(expression) ?? [];
  if (unit !== undefined) return Number(count) * (unit === 'hour' ? 3_600_000 : 60_000);
  throw new TemplateError(
    `${resource.logicalId}.ScheduleExpression is "${expression}"; ` +
      'cdk-local emulates whole minutes and hours, such as "rate(5 minutes)" and "rate(1 hour)".',
  );
}

function readInput(input: string, where: string): unknown {
  try {
    return JSON.parse(input);
  } catch (cause) {
    throw new TemplateError(`${where} is ${JSON.stringify(input)}; expected JSON.`, { cause });
  }
}

export function readRotation(resource: Resource, functions: readonly FunctionModel[]): RotationModel {
  return {
    secretArn: resource.get('SecretId', asText),
    functionName: findFunction(resource, 'RotationLambdaARN', functions).name,
  };
}
