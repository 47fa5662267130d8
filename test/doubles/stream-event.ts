import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { orderOfKey } from '../../lambdas/contract/schema.ts';
import type { AnyMode } from '../../lambdas/domain/signature.ts';
import { createOrderFeed } from '../../lambdas/order-feed/order-feed.ts';
import type { FeedEntry } from '../../lambdas/order-feed/order-status-changed.ts';
import type { AttentionMark, MarkAttention } from '../../lambdas/ports/attention-mark.ts';
import type { OrderRef, OrderRow } from '../../lambdas/ports/rows.ts';
import type { OrderReader } from '../../lambdas/ports/stores.ts';
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

/** The rows that these records leave, as a reader with this base sees them. */
export function rowsAfter(records: readonly DynamoDBRecord[], sequenceBase = 0): Map<string, OrderRow> {
  const sequenceOf = ({ dynamodb }: DynamoDBRecord): number => Number(dynamodb?.NewImage?.['sequence']?.N);
  return new Map(
    records
      .toSorted((a, b) => sequenceOf(a) - sequenceOf(b))
      .map(({ dynamodb }) => {
        const { order_key, facts, updated_at, sequence, published } = dynamodb?.NewImage ?? {};
        const row = {
          order: orderOfKey(`${order_key?.S}`) as OrderRef,
          facts: facts?.SS ?? [],
          updatedAt: `${updated_at?.S}`,
          sequence: Number(sequence?.N) + sequenceBase,
          ...(published?.S !== undefined && { published: published.S }),
        };
        return [`${order_key?.S}`, row] as const;
      }),
  );
}

type GetAll = OrderReader['getAll'];

/**
 * The order feed over a bus that responds to the requests like this, and accepts them by default. Unless `getAll` has
 * others, the rows are those that the records of each batch leave.
 */
export function setUpFeed({
  put = (() => []) as Put,
  sequenceBase = 0,
  getAll = undefined as GetAll | undefined,
  markAttention = (async () => {}) as MarkAttention,
} = {}) {
  let rows = new Map<string, OrderRow>();
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
    orders: { getAll: getAll ?? (async () => rows) },
    markAttention: async (mark) => {
      marks.push(mark);
      await markAttention(mark);
    },
    pause: async (milliseconds) => void pauses.push(milliseconds),
    sequenceBase,
    telemetry,
  });
  const publishRecords = (...Records: DynamoDBRecord[]) => {
    rows = rowsAfter(Records, sequenceBase);
    return publishOrderChanges({ Records });
  };
  const publish = (...written: WrittenOrder[]) => publishRecords(...written.map(streamRecord));
  return { publishRecords, publish, requests, marks, pauses, telemetry };
}
