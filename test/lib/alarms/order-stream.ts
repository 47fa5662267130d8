import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Synthesis } from '../synthesis.ts';
import type { createAwsMetrics } from './aws-metrics.ts';
import type { Invocation } from './invocations.ts';

interface StreamParts {
  readonly now: () => number;
  readonly aws: ReturnType<typeof createAwsMetrics>;
  readonly publish: (event: DynamoDBStreamEvent) => Promise<Invocation<DynamoDBBatchResponse>>;
}

/** The stream of orders, its mapping and its failure queue, with the settings of the template. */
export function createOrderStream(stack: Synthesis, { now, aws, publish }: StreamParts) {
  const mapping = stack.at('OrderFeed/Mapping').Properties;
  const ageMillisecondsMax = Number(mapping['MaximumRecordAgeInSeconds']) * 1_000;
  let unread: { readonly record: DynamoDBRecord; readonly at: number }[] = [];
  let failures = 0;
  let acceptsFailures = true;
  return {
    add: (record: DynamoDBRecord): void => void unread.push({ record, at: now() }),
    /** The failure queue no longer takes what Lambda sends. */
    refuseFailures: () => {
      acceptsFailures = false;
    },
    /** One turn of the mapping. It gives up on records that are too old. */
    async deliver(): Promise<void> {
      const expired = unread.filter(({ at }) => now() - at > ageMillisecondsMax);
      unread = unread.filter((one) => !expired.includes(one));
      if (expired.length > 0 && acceptsFailures) failures += 1;
      if (expired.length > 0 && !acceptsFailures) aws.destinationFailed('OrderFeed');
      const batch = unread.slice(0, 10);
      const [first] = batch;
      if (first === undefined) return;
      const invocation = await publish({ Records: batch.map(({ record }) => record) });
      if (invocation.outcome === 'throttled') return;
      aws.streamRead('OrderFeed', now() - first.at);
      if (invocation.outcome === 'failed') return;
      const [failure] = invocation.result.batchItemFailures;
      const at = batch.findIndex(({ record }) => record.dynamodb?.SequenceNumber === failure?.itemIdentifier);
      unread = unread.slice(failure === undefined ? batch.length : Math.max(at, 0));
    },
    report: (): void => aws.queue('OrderFeed/Failures', { visible: failures, oldestSeconds: 0 }),
  };
}
