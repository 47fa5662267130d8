import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import {
  changeLagReportedShare,
  changesSettleSeconds,
  orderFeedFailurePauseMilliseconds,
  putEventsBytesMax,
  putEventsEntriesMax,
  putEventsPauseMilliseconds,
  putEventsRoundsMax,
} from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import { orderAttributes, orderOfKey } from '../contract/schema.ts';
import type { AttentionMark, MarkAttention } from '../ports/attention-mark.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { LogFields, Telemetry } from '../ports/telemetry.ts';
import { attentionMark, markAll } from './attention-mark.ts';
import { type OrderWrite, orderChange } from './order-change.ts';
import { entryBytes, type FeedEntry, feedEntry } from './order-status-changed.ts';
import { readOrderWrite } from './stream-record.ts';

export interface OrderFeedParts {
  readonly bus: EventBus<FeedEntry>;
  readonly markAttention: MarkAttention;
  readonly pause: (milliseconds: number) => Promise<void>;
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
 * Publishes to the bus what each write to an order changed. A record that fails does not hold back those that
 * follow it: if Lambda gives up on the failed record, it gives up on the rest of its batch as well. The
 * stream then continues from the first failure, so some changes are published more than once.
 */
export function createOrderFeed(parts: OrderFeedParts): OrderFeed {
  return async function publishOrderChanges({ Records }) {
    try {
      const steps = Records.flatMap((record) => readStep(parts, record) ?? []);
      const entries = steps.flatMap(({ entry }) => entry ?? []);
      const refused = await publish(parts, entries);
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

/** Nothing for a record that changes no view. */
function readStep(parts: OrderFeedParts, record: DynamoDBRecord): Step | undefined {
  const sequenceNumber = record.dynamodb?.SequenceNumber;
  try {
    const write = readOrderWrite(record, parts.sequenceBase);
    if (write === undefined) return undefined;
    reportLag(parts.telemetry, write, record);
    const change = orderChange(write);
    return change && { sequenceNumber, entry: feedEntry(change), mark: attentionMark(write, change) };
  } catch (error) {
    // A newer version may be able to read it, so it is retried.
    const { mode, id } = orderOfKey(record.dynamodb?.NewImage?.[orderAttributes.key]?.S ?? '') ?? {};
    reportFailure(parts.telemetry, {
      mode,
      order_id: id,
      stream_sequence_number: sequenceNumber,
      error_code: error instanceof Error ? error.name : 'unknown',
      error_message: error instanceof Error ? error.message : undefined,
    });
    return { sequenceNumber };
  }
}

/** One line for each time that a change is published, or that the bus refuses it for this reason. */
function reportEntry(telemetry: Telemetry, { change }: FeedEntry, refusal: string | undefined): void {
  const { mode, order_id, sequence, id: dedupe_id, previous, current, transactions } = change;
  const fields = { mode, order_id, sequence, dedupe_id };
  if (refusal !== undefined) {
    reportFailure(telemetry, { ...fields, error_code: refusal });
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

function reportFailure(telemetry: Telemetry, fields: LogFields): void {
  telemetry.count(metricNames.feedChangesFailed);
  telemetry.log('error', 'order change not published', fields);
}

/**
 * Reports a write that was committed long after its time stamp: `GET /orders` misses a change that reaches
 * its index later than `changesSettleSeconds` after the stamp. Most writes are far from that, and emit no
 * lag: a custom metric is billed for the hours in which it has data.
 */
function reportLag(
  telemetry: Telemetry,
  { order, updatedAt }: OrderWrite,
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

/** The entries that the bus did not accept, each with the reason. */
type Refusals = ReadonlyMap<FeedEntry, string>;

/**
 * Puts every entry on the bus. A PutEvents response of 200 may refuse single entries: only those are sent
 * again, a bounded number of times.
 */
async function publish({ bus, pause }: OrderFeedParts, entries: readonly FeedEntry[]): Promise<Refusals> {
  let refused = await putAll(bus, entries);
  for (let round = 1; refused.size > 0 && round < putEventsRoundsMax; round += 1) {
    await pause(putEventsPauseMilliseconds * 2 ** (round - 1));
    refused = await putAll(bus, [...refused.keys()]);
  }
  return refused;
}

/** Request by request: a refused entry never affects the others. */
async function putAll(bus: EventBus<FeedEntry>, entries: readonly FeedEntry[]): Promise<Refusals> {
  const refused = new Map<FeedEntry, string>();
  for (const request of requestsOf(entries)) {
    const reasons = await bus.put(request).catch((error: unknown) => {
      const reason = error instanceof Error ? error.name : 'unknown';
      return request.map(() => reason);
    });
    for (const [index, entry] of request.entries()) {
      const reason = reasons[index];
      if (reason !== undefined) refused.set(entry, reason);
    }
  }
  return refused;
}

/** Splits entries so that no PutEvents request has too many entries or bytes. */
function requestsOf(entries: readonly FeedEntry[]): FeedEntry[][] {
  const requests: FeedEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const last = requests.at(-1);
    bytes += entryBytes(entry);
    if (last !== undefined && last.length < putEventsEntriesMax && bytes <= putEventsBytesMax) {
      last.push(entry);
    } else {
      requests.push([entry]);
      bytes = entryBytes(entry);
    }
  }
  return requests;
}
