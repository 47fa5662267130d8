import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { AnyMode } from '../../lambdas/domain/signature.ts';
import { createOrderFeed } from '../../lambdas/order-feed/order-feed.ts';
import type { FeedEntry } from '../../lambdas/order-feed/order-status-changed.ts';
import type { AttentionMark, MarkAttention } from '../../lambdas/ports/attention-mark.ts';
import { recordTelemetry } from './telemetry.ts';

export interface WrittenOrder {
  readonly orderId?: string;
  readonly mode?: AnyMode;
  /** Omitted when the write created the row. */
  readonly before?: readonly string[];
  readonly after: readonly string[];
  /** Stored after the write. */
  readonly sequence?: number;
  /** The last publication that an operator requested: after the write, and before it. */
  readonly published?: string;
  readonly publishedBefore?: string;
  readonly sequenceNumber?: string;
  readonly updatedAt?: string;
  /** The `updated_at` of the old image. */
  readonly updatedBefore?: string;
  /** Seconds since the epoch. */
  readonly committedAt?: number;
}

/** A record of the stream of orders, with new and old images. */
export function streamRecord(written: WrittenOrder): DynamoDBRecord {
  const { orderId = 'order-1', mode = 'live', before, after, sequenceNumber = '100' } = written;
  const { updatedAt = '2026-11-21T10:00:00.000Z', updatedBefore = '2026-11-21T09:00:00.000Z' } = written;
  const { sequence = before === undefined ? 1 : 2, published, publishedBefore } = written;
  const image = (facts: readonly string[], at: string, by?: string): Record<string, AttributeValue> => ({
    order_key: { S: `${mode}:order:${orderId}` },
    ...(facts.length > 0 && { facts: { SS: [...facts] } }),
    updated_at: { S: at },
    change_shard: { S: `${mode}:0` },
    ...(by !== undefined && { published: { S: by } }),
  });
  return {
    eventID: `event-${sequenceNumber}`,
    eventName: before === undefined ? 'INSERT' : 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    eventSourceARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/2026-11-21T10:00:00.000',
    dynamodb: {
      // 2026-11-21T10:00:00Z
      ApproximateCreationDateTime: written.committedAt ?? 1_795_255_200,
      Keys: { order_key: { S: `${mode}:order:${orderId}` } },
      NewImage: { ...image(after, updatedAt, published), sequence: { N: `${sequence}` } },
      ...(before && {
        OldImage: { ...image(before, updatedBefore, publishedBefore), sequence: { N: `${sequence - 1}` } },
      }),
      SequenceNumber: sequenceNumber,
      SizeBytes: 400,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
}

type Put = (entries: readonly FeedEntry[]) => readonly (string | undefined)[];

/** The order feed over a bus that responds to the requests like this, and accepts them by default. */
export function setUpFeed({
  put = (() => []) as Put,
  sequenceBase = 0,
  markAttention = (async () => {}) as MarkAttention,
} = {}) {
  const requests: (readonly FeedEntry[])[] = [];
  const marks: AttentionMark[] = [];
  const pauses: number[] = [];
  const telemetry = recordTelemetry();
  const publishOrderChanges = createOrderFeed({
    bus: {
      async put(entries) {
        requests.push([...entries]);
        return put(entries);
      },
    },
    markAttention: async (mark) => {
      marks.push(mark);
      await markAttention(mark);
    },
    pause: async (milliseconds) => void pauses.push(milliseconds),
    sequenceBase,
    telemetry,
  });
  const publishRecords = (...Records: DynamoDBRecord[]) => publishOrderChanges({ Records });
  const publish = (...written: WrittenOrder[]) => publishRecords(...written.map(streamRecord));
  return { publishRecords, publish, requests, marks, pauses, telemetry };
}
