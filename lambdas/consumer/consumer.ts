import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { MeaningOf } from '../domain/assumptions.ts';
import type { Postpone } from '../ports/postpone.ts';
import type { EventWriter, OrderWriter } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { batchResponse, type Verdict } from './batch-response.ts';
import { groupByOrder, type Merged, mergeFacts, type PendingMerge } from './merge-facts.ts';
import { postponeRetries } from './postpone-retries.ts';
import { receive } from './receive.ts';
import { isPermanent, quarantineRefused, type Recorded, recordEvent } from './record-event.ts';
import { type RetryCause, reportHandled, reportRetry } from './report.ts';

export interface ConsumerParts {
  readonly events: EventWriter;
  readonly orders: OrderWriter;
  readonly meaningOf: MeaningOf;
  readonly postpone: Postpone;
  /** `undefined` keeps events forever. */
  readonly eventRetentionDays: number | undefined;
  readonly now: () => Date;
  readonly telemetry: Telemetry;
}

export type Consumer = (event: SQSEvent) => Promise<SQSBatchResponse>;

/**
 * Handles a batch from the queue: event rows first, in parallel; then one merge per order; then one verdict
 * per record. Nothing returns or throws for the whole batch, so a bad record never affects the others.
 */
export function createConsumer(parts: ConsumerParts): Consumer {
  return async function consumeBatch({ Records }) {
    try {
      const steps = await Promise.all(Records.map((record) => recordStep(parts, record)));
      const recorded = steps.filter((step) => step.kind === 'recorded').map((step) => step.recorded);
      const merges = await mergeStep(parts, recorded);
      const settled = await Promise.all(recorded.map((record) => settle(parts, record, merges)));
      const response = batchResponse([...steps.filter((step) => step.kind === 'retry'), ...settled]);
      await postponeRetries(parts, Records, response);
      return response;
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
type MergeResults = ReadonlyMap<PendingMerge, MergeResult>;

async function mergeStep(parts: ConsumerParts, recorded: readonly Recorded[]): Promise<MergeResults> {
  const merge = async (pending: PendingMerge): Promise<[PendingMerge, MergeResult]> => {
    try {
      return [pending, { ok: true, merged: await mergeFacts(parts, pending, parts.now) }];
    } catch (error) {
      return [pending, { ok: false, error }];
    }
  };
  return new Map(await Promise.all(groupByOrder(recorded).map(merge)));
}

/** The verdict for a recorded message: the merges of all its orders decide. */
async function settle(parts: ConsumerParts, record: Recorded, merges: MergeResults): Promise<Verdict> {
  const { messageId } = record.received;
  const own = [...merges].filter(([pending]) => pending.records.has(record));
  const errors = own.flatMap(([, result]) => (result.ok ? [] : [result.error]));
  const transient = errors.find((error) => !isPermanent(error));
  if (transient !== undefined)
    return retry(parts, messageId, { reason: 'order_not_merged', error: transient });
  if (errors.length === 0) {
    const merged = own.flatMap(([pending, result]) => (result.ok ? [{ ...result.merged, pending }] : []));
    reportHandled(parts.telemetry, record, {
      changed: merged.some(({ changed, pending }) => changed && !hasFreshDuplicate(pending, record)),
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

/** Whether the same body is in this batch again and stored the row: then that record changed the order. */
function hasFreshDuplicate(pending: PendingMerge, { received }: Recorded): boolean {
  return [...pending.records].some(
    (other) =>
      other.fresh && other.received !== received && other.received.bodySha256 === received.bodySha256,
  );
}

function retry(
  { telemetry }: ConsumerParts,
  messageId: string,
  cause: RetryCause,
): { kind: 'retry'; messageId: string } {
  reportRetry(telemetry, messageId, cause);
  return { kind: 'retry', messageId };
}

const rowSettings = ({ now, eventRetentionDays }: ConsumerParts) => ({ now: now(), eventRetentionDays });
