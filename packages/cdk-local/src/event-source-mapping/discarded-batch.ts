import { randomUUID } from 'node:crypto';
import type { StreamRecord } from '../emulators/stream-record.ts';
import type { Invocation } from '../functions/invocation.ts';

/** Records of a stream that a mapping gave up on. */
export interface DiscardedBatch {
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly records: readonly StreamRecord[];
  readonly functionArn: string;
  readonly invokeCount: number;
  /** The outcome of the last invocation; none when the records were too old for one. */
  readonly lastInvocation: Invocation | undefined;
}

/** dynalite has no shards; this is the one that all records of a table are said to be of. */
const shardId = 'shardId-00000000000000000000-00000001';

/**
 * What Lambda sends to the destination for failures: where the records stand in the stream, and not what is
 * in them.
 */
export function discardedBatchMessage(batch: DiscardedBatch, now: Date): object {
  const { condition, records, functionArn, invokeCount, lastInvocation } = batch;
  const [first, last] = [records[0], records.at(-1)];
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn,
      condition,
      approximateInvokeCount: invokeCount,
    },
    ...(lastInvocation !== undefined && {
      responseContext: {
        statusCode: 200,
        executedVersion: '$LATEST',
        functionError: lastInvocation.ok ? null : 'Unhandled',
      },
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
