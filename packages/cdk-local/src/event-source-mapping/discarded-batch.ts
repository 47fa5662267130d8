import { randomUUID } from 'node:crypto';
import type { StreamRecord } from '../emulators/table-stream.ts';
import type { Invocation } from '../functions/invocation.ts';

/** Records of a stream that a mapping discarded. */
export interface DiscardedBatch {
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly records: readonly StreamRecord[];
  readonly functionArn: string;
  readonly invokeCount: number;
  /** The outcome of the last invocation; `undefined` when the records were too old for one. */
  readonly lastInvocation: Invocation | undefined;
}

/** dynalite has no shards, so all records of a table are in this one. */
const shardId = 'shardId-00000000000000000000-00000001';

/** Lambda's message to the destination for failures: the position of the records, and not their content. */
export function discardedBatchMessage(batch: DiscardedBatch, now: Date): object {
  const { condition, records, functionArn, invokeCount, lastInvocation } = batch;
  const [first, last] = [records[0], records.at(-1)];
  const functionError = lastInvocation?.ok === false ? 'Unhandled' : null;
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn,
      condition,
      approximateInvokeCount: invokeCount,
    },
    ...(lastInvocation !== undefined && {
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError },
    }),
    version: '1.0',
    timestamp: now.toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: last?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: records.length,
      streamArn: first?.eventSourceARN,
    },
  };
}

function arrival(record: StreamRecord | undefined): string | undefined {
  if (record === undefined) return undefined;
  const at = new Date(record.dynamodb.ApproximateCreationDateTime * 1000);
  return at.toISOString().replace('.000Z', 'Z');
}
