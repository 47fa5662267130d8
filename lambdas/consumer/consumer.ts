import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { MeaningOf } from '../domain/assumptions.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { KeyUseWriter } from '../ports/key-uses.ts';
import type { Postpone } from '../ports/postpone.ts';
import type { EventWriter, OrderWriter } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { TransactionWriter } from '../ports/transactions.ts';
import { joinEvent, type MergeResults, mergeOrders, mergesOf } from './apply.ts';
import { batchResponse, type Verdict } from './batch-response.ts';
import { createEventNames, type RecordEventName } from './event-names.ts';
import type { RowSettings } from './event-rows.ts';
import { createKeyUses, type RecordKeyUse } from './key-uses.ts';
import { postponeRetries } from './postpone-retries.ts';
import { receive } from './receive.ts';
import { type Recorded, recordEvent } from './record-event.ts';
import { type RetryCause, reportHandled, reportRetry } from './report.ts';
import { settleRows } from './settle-rows.ts';

export interface ConsumerParts {
  readonly events: EventWriter;
  readonly transactions: TransactionWriter;
  readonly orders: OrderWriter;
  readonly keyUses: KeyUseWriter;
  readonly meaningOf: MeaningOf;
  readonly postpone: Postpone;
  /** `undefined` keeps the bodies of events forever. */
  readonly eventRetentionDays: number | undefined;
  readonly now: () => Date;
  readonly telemetry: Telemetry;
}

export type Consumer = (event: SQSEvent) => Promise<SQSBatchResponse>;

/**
 * Handles a batch from the queue: each record is stored and joined to its transaction, in parallel; then one
 * merge per order; then one verdict per record. Nothing returns or throws for the whole batch, so a bad
 * record never affects the others.
 */
export function createConsumer(parts: ConsumerParts): Consumer {
  const recordEventName = createEventNames(parts.events, parts.meaningOf);
  const recordKeyUse = createKeyUses(parts.keyUses, parts.telemetry);

  return async function consumeBatch({ Records }) {
    try {
      const steps = await Promise.all(
        Records.map((record) => recordStep(parts, record, { recordEventName, recordKeyUse })),
      );
      const recorded = steps.filter((step) => step.kind === 'recorded').map((step) => step.recorded);
      const merges = await mergeOrders(parts, recorded);
      const settled = await Promise.all(
        merges.joined.map((record) => settle(parts, record, { merges: merges.results, recorded })),
      );
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

/** What an instance of the function remembers. */
interface Remembered {
  readonly recordEventName: RecordEventName;
  readonly recordKeyUse: RecordKeyUse;
}

async function recordStep(
  parts: ConsumerParts,
  record: SQSRecord,
  { recordEventName, recordKeyUse }: Remembered,
): Promise<RecordStep> {
  const received = receive(record);
  if (received === undefined) return retry(parts, record.messageId, { reason: 'message_malformed' });
  const settings = rowSettings(parts, received.message.mode);
  let reason = 'event_not_recorded';
  try {
    const [recorded] = await Promise.all([
      recordEvent(parts.events, received, settings),
      recordEventName(received, settings.now.toISOString()),
      recordKeyUse(received),
    ]);
    reason = 'transaction_not_joined';
    return { kind: 'recorded', recorded: await joinEvent(parts, recorded) };
  } catch (error) {
    return retry(parts, record.messageId, { reason, error });
  }
}

/** The verdict for a recorded message: the merges of all its orders decide, and then its own row. */
async function settle(
  parts: ConsumerParts,
  record: Recorded,
  batch: { readonly merges: MergeResults; readonly recorded: readonly Recorded[] },
): Promise<Verdict> {
  const { messageId, bodySha256 } = record.received;
  const isRepeated = batch.recorded.some(
    ({ fresh, received }) => fresh && received.bodySha256 === bodySha256,
  );
  let reason = 'order_not_merged';
  try {
    const merges = mergesOf(record, batch.merges);
    reason = 'event_not_settled';
    const fate = await settleRows(
      { events: parts.events, merges, settings: rowSettings(parts, record.mode) },
      record,
    );
    reportHandled(parts.telemetry, record, { merges, isRepeated, fate, handledAt: parts.now() });
    return { kind: 'done', messageId };
  } catch (error) {
    return retry(parts, messageId, { reason, error });
  }
}

function retry(
  { telemetry }: ConsumerParts,
  messageId: string,
  cause: RetryCause,
): { kind: 'retry'; messageId: string } {
  reportRetry(telemetry, messageId, cause);
  return { kind: 'retry', messageId };
}

const rowSettings = (parts: ConsumerParts, mode: AnyMode): RowSettings => ({
  now: parts.now(),
  // The whole row of a heartbeat expires, so its body needs none of its own.
  eventRetentionDays: mode === 'heartbeat' ? undefined : parts.eventRetentionDays,
  meaningOf: parts.meaningOf,
});
