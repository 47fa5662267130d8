import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { EventWriter, OrderWriter } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { batchResponse, type Verdict } from './batch-response.ts';
import { groupByOrder, type Merged, mergeFacts, type OrderDebt } from './merge-facts.ts';
import { receive } from './receive.ts';
import { isPermanent, quarantineRefused, type Recorded, recordEvent } from './record-event.ts';
import { reportHandled, reportRetry } from './report.ts';

export interface ConsumerParts {
  readonly events: EventWriter;
  readonly orders: OrderWriter;
  /** `undefined` keeps events for ever. */
  readonly eventRetentionDays: number | undefined;
  readonly now: () => Date;
  readonly telemetry: Telemetry;
}

export type Consumer = (event: SQSEvent) => Promise<SQSBatchResponse>;

/**
 * Takes a batch off the queue: event rows first, in parallel; then one merge per order; then one verdict per
 * record. Neither loop returns or throws for the batch, so a bad record costs the others nothing.
 */
export function createConsumer(parts: ConsumerParts): Consumer {
  return async ({ Records }) => {
    try {
      const steps = await Promise.all(Records.map((record) => recordStep(parts, record)));
      const recorded = steps.filter((step) => step.kind === 'recorded').map((step) => step.recorded);
      const merges = await mergeStep(parts, recorded);
      const settled = await Promise.all(recorded.map((record) => settle(parts, record, merges)));
      return batchResponse([...steps.filter((step) => step.kind === 'retry'), ...settled]);
    } finally {
      parts.telemetry.flush();
    }
  };
}

type RecordStep =
  | { readonly kind: 'recorded'; readonly recorded: Recorded }
  | { readonly kind: 'retry'; readonly messageId: string };

async function recordStep(parts: ConsumerParts, record: SQSRecord): Promise<RecordStep> {
  const received = receive(record);
  if (received === undefined) return retry(parts, record.messageId, { reason: 'message_malformed' });
  try {
    return { kind: 'recorded', recorded: await recordEvent(parts.events, received, rowSettings(parts)) };
  } catch (error) {
    return retry(parts, record.messageId, { reason: 'event_not_recorded', error });
  }
}

type MergeResult =
  | { readonly ok: true; readonly merged: Merged }
  | { readonly ok: false; readonly error: unknown };
type MergeResults = ReadonlyMap<OrderDebt, MergeResult>;

async function mergeStep(parts: ConsumerParts, recorded: readonly Recorded[]): Promise<MergeResults> {
  const merge = async (debt: OrderDebt): Promise<[OrderDebt, MergeResult]> => {
    try {
      return [debt, { ok: true, merged: await mergeFacts(parts.orders, debt, parts.now().toISOString()) }];
    } catch (error) {
      return [debt, { ok: false, error }];
    }
  };
  return new Map(await Promise.all(groupByOrder(recorded).map(merge)));
}

/** The verdict over a recorded message, from the merges of all orders that it owed something. */
async function settle(parts: ConsumerParts, record: Recorded, merges: MergeResults): Promise<Verdict> {
  const { messageId } = record.received;
  const own = [...merges].filter(([debt]) => debt.records.has(record));
  const errors = own.flatMap(([, result]) => (result.ok ? [] : [result.error]));
  const transient = errors.find((error) => !isPermanent(error));
  if (transient !== undefined)
    return retry(parts, messageId, { reason: 'order_not_merged', error: transient });
  if (errors.length === 0) {
    const merged = own.flatMap(([debt, result]) => (result.ok ? [{ ...result.merged, debt }] : []));
    reportHandled(parts.telemetry, record, {
      changed: merged.some(({ changed, debt }) => changed && !hasFreshTwin(debt, record)),
      status: merged[0]?.status,
    });
    return { kind: 'done', messageId };
  }
  try {
    reportHandled(parts.telemetry, await quarantineRefused(parts.events, record, rowSettings(parts)), {});
    return { kind: 'done', messageId };
  } catch (error) {
    return retry(parts, messageId, { reason: 'event_not_quarantined', error });
  }
}

/** Whether the same body is in this batch once more and stored the row: then that one changed the order. */
function hasFreshTwin(debt: OrderDebt, { received }: Recorded): boolean {
  return [...debt.records].some(
    (other) =>
      other.fresh && other.received !== received && other.received.bodySha256 === received.bodySha256,
  );
}

type RetryCause = Parameters<typeof reportRetry>[2];

function retry(
  { telemetry }: ConsumerParts,
  messageId: string,
  cause: RetryCause,
): { kind: 'retry'; messageId: string } {
  reportRetry(telemetry, messageId, cause);
  return { kind: 'retry', messageId };
}

const rowSettings = ({ now, eventRetentionDays }: ConsumerParts) => ({ now: now(), eventRetentionDays });
