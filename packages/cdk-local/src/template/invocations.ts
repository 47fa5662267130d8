import * as v from 'valibot';
import type {
  FunctionModel,
  MappingModel,
  RotationModel,
  ScheduleModel,
  StreamMappingModel,
} from './model.ts';
import { findFunction, type Resource } from './resources.ts';
import { flag, list, number, object, text } from './schema.ts';

const queueArn = v.pipe(text, v.regex(/^arn:aws:sqs:/, 'the ARN of a queue'));

export const mappingProperties = object({
  BatchSize: v.optional(number),
  BisectBatchOnFunctionError: v.optional(flag, false),
  DestinationConfig: v.optional(object({ OnFailure: v.optional(object({ Destination: queueArn })) })),
  Enabled: v.optional(flag, true),
  EventSourceArn: text,
  FunctionName: text,
  FunctionResponseTypes: v.optional(list, []),
  MaximumBatchingWindowInSeconds: v.optional(number, 0),
  MaximumRecordAgeInSeconds: v.optional(number, -1),
  MaximumRetryAttempts: v.optional(number, -1),
  ParallelizationFactor: v.optional(number, 1),
  ScalingConfig: v.optional(object({ MaximumConcurrency: v.optional(number) })),
});

interface Mappings {
  readonly mappings: MappingModel[];
  readonly streamMappings: StreamMappingModel[];
}

/** Without those that are switched off. */
export function readMappings(resources: readonly Resource[], functions: readonly FunctionModel[]): Mappings {
  const read: Mappings = { mappings: [], streamMappings: [] };
  for (const resource of resources) {
    const { logicalId } = resource;
    const properties = resource.read(mappingProperties);
    if (!properties.Enabled) continue;
    const { EventSourceArn, BatchSize, ScalingConfig, DestinationConfig } = properties;
    const readsStream = EventSourceArn.split(':')[2] === 'dynamodb';
    const batch = {
      name: logicalId,
      functionName: findFunction(functions, properties.FunctionName, `${logicalId}.FunctionName`).name,
      batchRecordsMax: BatchSize ?? (readsStream ? 100 : 10),
      windowSeconds: properties.MaximumBatchingWindowInSeconds,
      reportsItemFailures: properties.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    };
    const concurrencyMax = ScalingConfig?.MaximumConcurrency;
    const failureQueueArn = DestinationConfig?.OnFailure?.Destination;
    if (!readsStream) {
      read.mappings.push({ ...batch, queueArn: EventSourceArn, ...(concurrencyMax && { concurrencyMax }) });
      continue;
    }
    // The starting position does not matter: a stream begins with its mapping here, and what was not handled
    // before a restart is handled after it.
    read.streamMappings.push({
      ...batch,
      streamArn: EventSourceArn,
      parallelBatches: properties.ParallelizationFactor,
      bisectsBatches: properties.BisectBatchOnFunctionError,
      retriesMax: unlimited(properties.MaximumRetryAttempts),
      recordAgeSecondsMax: unlimited(properties.MaximumRecordAgeInSeconds),
      ...(failureQueueArn && { failureQueueArn }),
    });
  }
  return read;
}

/** Lambda writes "no limit" as -1. */
const unlimited = (bound: number): number => (bound === -1 ? Number.POSITIVE_INFINITY : bound);

const rate = /^rate\(([1-9]\d{0,5}) (minute|hour)s?\)$/;

export const scheduleProperties = object({
  ScheduleExpression: v.pipe(
    text,
    v.regex(rate, 'whole minutes or hours, such as "rate(5 minutes)" or "rate(1 hour)"'),
    v.transform((expression) => {
      const [, count, unit] = rate.exec(expression) ?? [];
      return Number(count) * (unit === 'hour' ? 3_600_000 : 60_000);
    }),
  ),
  State: v.optional(text, 'ENABLED'),
  Target: object({ Arn: text, Input: v.optional(v.pipe(text, v.parseJson({}, 'JSON'))) }),
});

/** Empty for a schedule that is switched off. */
export function readSchedule(resource: Resource, functions: readonly FunctionModel[]): ScheduleModel[] {
  const { ScheduleExpression, State, Target } = resource.read(scheduleProperties);
  if (State !== 'ENABLED') return [];
  const { name: functionName } = findFunction(functions, Target.Arn, `${resource.logicalId}.Target.Arn`);
  const schedule = { name: resource.logicalId, functionName, intervalMilliseconds: ScheduleExpression };
  return [Target.Input === undefined ? schedule : { ...schedule, input: Target.Input }];
}

export const rotationProperties = object({ RotationLambdaARN: text, SecretId: text });

export function readRotation(resource: Resource, functions: readonly FunctionModel[]): RotationModel {
  const { RotationLambdaARN, SecretId } = resource.read(rotationProperties);
  const where = `${resource.logicalId}.RotationLambdaARN`;
  return { secretArn: SecretId, functionName: findFunction(functions, RotationLambdaARN, where).name };
}
