import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import {
  changeLagReportedShare,
  changesSettleSeconds,
  orderFeedFailurePauseMilliseconds,
} from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import { orderAttributes, orderOfKey } from '../contract/schema.ts';
import type { AttentionMark, MarkAttention } from '../ports/attention-mark.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { OrderReader } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { attentionMark, markAll } from './attention-mark.ts';
import { type CurrentRow, changeUntilNow, readCurrentRows } from './current-rows.ts';
import { orderChange } from './order-change.ts';
import { type FeedEntry, feedEntry } from './order-status-changed.ts';
import { type PutParts, putEntries } from './put-entries.ts';
import { type RecordedWrite, readOrderWrite } from './stream-record.ts';

export interface OrderFeedParts extends PutParts {
  readonly markAttention: MarkAttention;
  readonly orders: Pick<OrderReader, 'getAll'>;
  readonly telemetry: Telemetry;
  /** Added to the sequence of every order: the setting of this name. */
  readonly sequenceBase: number;
}

export type OrderFeed = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/** A record that changes a view, or without an entry one that cannot be read. */
interface Step {
  readonly sequenceNumber: string | undefined;
  readonly entry?: FeedEntry;
  readonly mark?: AttentionMark | undefined;
}

/**
 * Publishes to the bus what has changed since each write to an order, as the order's row shows it: a caller
 * of the function can make up records (ADR 21). A record that fails does not hold back those that follow it:
 * if Lambda gives up on the failed record, it gives up on the rest of its batch as well. The stream then
 * continues from the first failure, so some changes are published more than once.
 */
export function createOrderFeed(parts: OrderFeedParts): OrderFeed {
  return async function publishOrderChanges({ Records }) {
    try {
      const steps = withoutCopies(await readSteps(parts, Records));
      const entries = steps.flatMap(({ entry }) => entry ?? []);
      const refused = await putEntries(parts, entries);
      for (const entry of entries) reportEntry(parts.telemetry, entry, refused.get(entry));
      const unmarked = await markAll(parts, steps);
      const failed = steps.find(
        (step) => step.entry === undefined || refused.has(step.entry) || unmarked.has(step),
      );
      // With an empty list Lambda continues after the batch.
      if (failed === undefined) return { batchItemFailures: [] };
      // AWS does not document how soon it repeats a failed batch; this pause spaces the attempts.
      await parts.pause(orderFeedFailurePauseMilliseconds);
      if (!failed.sequenceNumber) {
        throw new Error('A record that failed has no SequenceNumber, so the whole batch is sent again.');
      }
      // Lambda repeats everything from this record on.
      return { batchItemFailures: [{ itemIdentifier: failed.sequenceNumber }] };
    } finally {
      parts.telemetry.flush();
    }
  };
}

async function readSteps(parts: OrderFeedParts, records: readonly DynamoDBRecord[]): Promise<Step[]> {
  const writes = records.map(async (record) => readOrderWrite(record, parts.sequenceBase));
  const settled = await Promise.allSettled(writes);
  const readable = settled.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []));
  const rows = readCurrentRows(parts.orders, readable);
  const read = records.map((record, n) => readStep(parts, record, Promise.all([writes[n], rows])));
  return (await Promise.all(read)).flat();
}

/** Nothing for a record that changes no view, or that is made up. */
async function readStep(
  parts: OrderFeedParts,
  record: DynamoDBRecord,
  read: Promise<[RecordedWrite | undefined, CurrentRow]>,
): Promise<Step[]> {
  const sequenceNumber = record.dynamodb?.SequenceNumber;
  try {
    const [write, rowOf] = await read;
    if (write === undefined) return [];
    const row = rowOf(write);
    const untilNow = changeUntilNow(write, row);
    if (untilNow === undefined) {
      reportForgery(parts.telemetry, write, row);
      return [];
    }
    reportLag(parts.telemetry, write, record);
    const change = orderChange(untilNow);
    if (change === undefined) return [];
    return [{ sequenceNumber, entry: feedEntry(change), mark: attentionMark(untilNow, change) }];
  } catch (error) {
    // A newer version may be able to read it, so it is retried.
    const { mode, id } = orderOfKey(record.dynamodb?.NewImage?.[orderAttributes.key]?.S ?? '') ?? {};
    parts.telemetry.log('error', notPublished, {
      mode,
      order_id: id,
      stream_sequence_number: sequenceNumber,
      error_code: error instanceof Error ? error.name : 'unknown',
      error_message: error instanceof Error ? error.message : undefined,
    });
    return [{ sequenceNumber }];
  }
}

/**
 * Several writes of an order, up to the same row: the first has all that changed. It may have been handled
 * before, alone, so that only a later one ends or begins an attention.
 */
function withoutCopies(steps: readonly Step[]): Step[] {
  const byChange = Map.groupBy(steps, (step) => step.entry?.change.id ?? step);
  return [...byChange.values()].map((copies) => {
    const mark = copies.find((step) => step.mark)?.mark;
    return { ...(copies[0] as Step), mark };
  });
}

/** It is not retried: the stream never has such a record, so someone has invoked the function with it. */
function reportForgery(
  telemetry: Telemetry,
  { order, sequence }: RecordedWrite,
  row: OrderRow | undefined,
): void {
  telemetry.count(metricNames.forgeriesFound);
  telemetry.log('error', 'invocation forged', {
    reason: row === undefined ? 'no_such_order' : 'not_what_the_row_says',
    mode: order.mode,
    order_id: order.id,
    sequence,
    row_sequence: row?.sequence,
  });
}

const notPublished = 'order change not published';

/** One line for each time that a change is published, or that the bus refuses it for this reason. */
function reportEntry(telemetry: Telemetry, { change }: FeedEntry, refusal: string | undefined): void {
  const { mode, order_id, sequence, id: dedupe_id, previous, current, transactions } = change;
  const fields = { mode, order_id, sequence, dedupe_id };
  if (refusal !== undefined) {
    telemetry.log('error', notPublished, { ...fields, error_code: refusal });
    return;
  }
  // A heartbeat's is always written.
  telemetry.log(mode === 'heartbeat' ? 'notice' : 'info', 'order change published', {
    ...fields,
    previous_status: previous?.status ?? null,
    order_status: current.status,
    transactions_left_out: transactions === null ? true : undefined,
  });
}

/**
 * Reports a write that was committed long after its time stamp: `GET /orders` misses a change that reaches
 * its index later than `changesSettleSeconds` after the stamp. Most writes are far from that, and emit no
 * lag: a custom metric is billed for the hours in which it has data.
 */
function reportLag(
  telemetry: Telemetry,
  { order, updatedAt }: RecordedWrite,
  { dynamodb }: DynamoDBRecord,
): void {
  // Only a new time stamp shows when the write began.
  if (dynamodb?.OldImage?.[orderAttributes.updatedAt]?.S === updatedAt) return;
  const { ApproximateCreationDateTime: committedAt = Number.NaN } = dynamodb ?? {};
  // The stream rounds the time of a commit down to a second, so this is the longest that it can have been.
  const lagSeconds = committedAt + 1 - Date.parse(updatedAt) / 1000;
  if (!(lagSeconds >= changesSettleSeconds * changeLagReportedShare)) return;
  telemetry.measure(metricNames.changeLag, lagSeconds, 'Seconds');
  telemetry.log('warn', 'order change committed late', {
    mode: order.mode,
    order_id: order.id,
    updated_at: updatedAt,
    lag_seconds: lagSeconds,
  });
}
