import { asList, asNumber, asObject, asText, TemplateError } from './intrinsics.ts';
import type { FunctionModel, MappingModel, StreamMappingModel } from './model.ts';
import { findFunction, type Resource } from './resources.ts';

/** Whether a mapping is switched on; one that is not feeds its function nothing. */
export function isEnabled(resource: Resource): boolean {
  return resource.get('Enabled', asText, 'true') !== 'false';
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
 * Its starting position does not matter: a stream begins with its mapping here, and whatever was not handled
 * before a restart is handled after it.
 */
export function readStreamMapping(
  resource: Resource,
  functions: readonly FunctionModel[],
): StreamMappingModel {
  const destination = readFailureDestination(resource);
  return {
    ...readBatch(resource, functions, 100),
    streamArn: resource.get('EventSourceArn', asText),
    parallelBatches: resource.get('ParallelizationFactor', asNumber, 1),
    bisectsBatches: resource.get('BisectBatchOnFunctionError', asText, 'false') === 'true',
    retriesMax: unlimited(resource.get('MaximumRetryAttempts', asNumber, -1)),
    recordAgeSecondsMax: unlimited(resource.get('MaximumRecordAgeInSeconds', asNumber, -1)),
    ...(destination === undefined ? {} : { failureQueueArn: destination }),
  };
}

function readBatch(resource: Resource, functions: readonly FunctionModel[], batchRecordsDefault: number) {
  return {
    name: resource.logicalId,
    functionName: findFunction(resource, 'FunctionName', functions).name,
    batchRecordsMax: resource.get('BatchSize', asNumber, batchRecordsDefault),
    windowSeconds: resource.get('MaximumBatchingWindowInSeconds', asNumber, 0),
    reportsItemFailures: resource
      .get('FunctionResponseTypes', asList, [])
      .includes('ReportBatchItemFailures'),
  };
}

function readFailureDestination(resource: Resource): string | undefined {
  const { OnFailure } = resource.get('DestinationConfig', asObject, {});
  if (OnFailure === undefined) return undefined;
  const where = `${resource.logicalId}.DestinationConfig.OnFailure`;
  const arn = asText(asObject(OnFailure, where)['Destination'], `${where}.Destination`);
  if (arn.split(':')[2] === 'sqs') return arn;
  throw new TemplateError(`${where}.Destination is "${arn}"; local mode emulates queues only.`);
}

/** -1 is how Lambda writes that there is no bound. */
const unlimited = (bound: number): number => (bound === -1 ? Number.POSITIVE_INFINITY : bound);
