import * as v from 'valibot';
import { type FunctionModel, findFunction, type Resource } from './resources.ts';
import { dictionary, flag, list, number, object, oneOf, text } from './schema.ts';

const queueArn = v.pipe(text, v.regex(/^arn:aws:sqs:/, 'the ARN of a queue'));

export const mappingProperties = object({
  BatchSize: v.optional(number),
  BisectBatchOnFunctionError: v.optional(flag, false),
  DestinationConfig: v.optional(object({ OnFailure: v.optional(object({ Destination: queueArn })) })),
  Enabled: v.optional(flag, true),
  EventSourceArn: text,
  FunctionName: text,
  FunctionResponseTypes: v.optional(list, []),
  MaximumRecordAgeInSeconds: v.optional(number, -1),
  MaximumRetryAttempts: v.optional(number, -1),
  ParallelizationFactor: v.optional(number, 1),
  ScalingConfig: v.optional(object({ MaximumConcurrency: v.optional(number) })),
});

/** A queue or a stream that feeds a function. */
function readMapping(resource: Resource, functions: readonly FunctionModel[]) {
  const { logicalId } = resource;
  const properties = resource.read(mappingProperties);
  const { EventSourceArn, BatchSize, ScalingConfig, DestinationConfig } = properties;
  const readsStream = EventSourceArn.split(':')[2] === 'dynamodb';
  const batch = {
    name: logicalId,
    enabled: properties.Enabled,
    functionName: findFunction(functions, properties.FunctionName, `${logicalId}.FunctionName`).name,
    batchRecordsMax: BatchSize ?? (readsStream ? 100 : 10),
    /** Without it the function's response is not read: a batch succeeds unless the function throws. */
    reportsItemFailures: properties.FunctionResponseTypes.includes('ReportBatchItemFailures'),
  };
  const concurrencyMax = ScalingConfig?.MaximumConcurrency;
  const failureQueueArn = DestinationConfig?.OnFailure?.Destination;
  if (!readsStream) return { ...batch, queueArn: EventSourceArn, ...(concurrencyMax && { concurrencyMax }) };
  // The starting position does not matter: a stream begins with its mapping here, and what was not handled
  // before a restart is handled after it.
  return {
    ...batch,
    streamArn: EventSourceArn,
    /** Batches at a time; the records of a partition key stay in order. */
    parallelBatches: properties.ParallelizationFactor,
    bisectsBatches: properties.BisectBatchOnFunctionError,
    retriesMax: unlimited(properties.MaximumRetryAttempts),
    recordAgeSecondsMax: unlimited(properties.MaximumRecordAgeInSeconds),
    ...(failureQueueArn && { failureQueueArn }),
  };
}

type AnyMapping = ReturnType<typeof readMapping>;
export type MappingModel = Extract<AnyMapping, { queueArn: string }>;
export type StreamMappingModel = Extract<AnyMapping, { streamArn: string }>;

export function readMappings(resources: readonly Resource[], functions: readonly FunctionModel[]) {
  const read = resources.map((resource) => readMapping(resource, functions));
  return {
    mappings: read.filter((one) => 'queueArn' in one),
    streamMappings: read.filter((one) => 'streamArn' in one),
  };
}

/** Lambda writes "no limit" as -1. */
const unlimited = (bound: number): number => (bound === -1 ? Number.POSITIVE_INFINITY : bound);

const rate = /^rate\(([1-9]\d{0,5}) minutes?\)$/;

const scheduleProperties = object({
  ScheduleExpression: v.pipe(
    text,
    v.regex(rate, 'whole minutes, such as "rate(5 minutes)"'),
    v.transform((expression) => Number(rate.exec(expression)?.[1]) * 60_000),
  ),
  State: v.optional(oneOf('ENABLED', 'DISABLED'), 'ENABLED'),
  Target: object({ Arn: text, Input: v.optional(v.pipe(text, v.parseJson({}, 'JSON'))) }),
});

export type ScheduleModel = ReturnType<typeof readSchedule>[number];

/** A schedule that calls an API of AWS, and no function. */
const universalTarget = /^arn:[\w-]+:scheduler:::aws-sdk:/;

/** Empty for a schedule whose target is no resource but an API of AWS. */
export function readSchedule(resource: Resource, functions: readonly FunctionModel[]) {
  const { ScheduleExpression, Target } = resource.read(scheduleProperties);
  if (universalTarget.test(Target.Arn)) return [];
  const { name: functionName } = findFunction(functions, Target.Arn, `${resource.logicalId}.Target.Arn`);
  const schedule = { name: resource.logicalId, functionName, intervalMilliseconds: ScheduleExpression };
  return [{ ...schedule, ...(Target.Input !== undefined && { input: Target.Input }) }];
}

export const definitionProperties = object({
  Description: v.optional(text),
  FlexibleTimeWindow: v.optional(dictionary, { Mode: 'OFF' }),
  ScheduleExpression: text,
  ScheduleExpressionTimezone: v.optional(text, 'UTC'),
  State: scheduleProperties.entries.State,
  Target: dictionary,
});

export type ScheduleDefinition = v.InferOutput<typeof definitionProperties>;

/** Everything about a schedule, also one that calls an API of AWS, in the form of the service's API. */
export const readScheduleDefinition = (resource: Resource) => ({
  name: resource.logicalId,
  definition: resource.read(definitionProperties),
});

export const rotationProperties = object({ RotationLambdaARN: text, SecretId: text });

export function readRotation(resource: Resource, functions: readonly FunctionModel[]) {
  const { RotationLambdaARN, SecretId } = resource.read(rotationProperties);
  const where = `${resource.logicalId}.RotationLambdaARN`;
  return { secretArn: SecretId, functionName: findFunction(functions, RotationLambdaARN, where).name };
}
