import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { metricNames } from '../contract/metrics.ts';
import type { KeyUseWriter } from '../ports/key-uses.ts';
import type { Postpone } from '../ports/postpone.ts';
import { type DeliveryStore, PermanentStoreError } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { batchResponse, type Verdict } from './batch-response.ts';
import { type First, type Stored, settle, storeBody } from './deliver.ts';
import { createEventNames, type RecordEventName } from './event-names.ts';
import { createKeyUses, type RecordKeyUse } from './key-uses.ts';
import { type MergedOrders, type MergeResults, mergeOrders, mergesOf } from './merge-facts.ts';
import { postponeRetries } from './postpone-retries.ts';
import { type Received, receive } from './receive.ts';
import { type RedeliverParts, redeliver, repairAll } from './redeliver.ts';
import { type RetryCause, reportHandled, reportRetry } from './report.ts';

export interface ConsumerParts extends RedeliverParts {
  readonly store: RedeliverParts['store'] & DeliveryStore;
  readonly keyUses: KeyUseWriter;
  readonly postpone: Postpone;
  readonly telemetry: Telemetry;
}

export type Consumer = (event: SQSEvent) => Promise<SQSBatchResponse>;

/**
 * Handles a batch from the queue: each body is stored and joined to its transaction, in parallel; then one
 * merge per order; then one verdict per record. Whatever is not the first delivery of an event is a repair.
 * Nothing returns or throws for the whole batch, so a bad record never affects the others.
 */
export function createConsumer(parts: ConsumerParts): Consumer {
  const recordEventName = createEventNames(parts.store);
  const recordKeyUse = createKeyUses(parts.keyUses, parts.telemetry);

  return async function consumeBatch({ Records }) {
    try {
      const steps = await Promise.all(
        Records.map((record) => storeRecord(parts, record, { recordEventName, recordKeyUse })),
      );
      const firsts = steps.flatMap((step) =>
        'stored' in step && step.stored.kind === 'first' ? [step.stored] : [],
      );
      const merges = await mergeOrders(parts, firsts);
      const verdicts = await Promise.all(
        steps.map((step) => ('stored' in step ? finish(parts, step.stored, merges) : step)),
      );
      const response = batchResponse(verdicts);
      await postponeRetries(parts, Records, response);
      return response;
    } finally {
      parts.telemetry.flush();
    }
  };
}

/** What an instance of the function remembers. */
interface Remembered {
  readonly recordEventName: RecordEventName;
  readonly recordKeyUse: RecordKeyUse;
}

async function storeRecord(
  parts: ConsumerParts,
  record: SQSRecord,
  { recordEventName, recordKeyUse }: Remembered,
): Promise<{ readonly stored: Stored } | Verdict> {
  const received = receive(record, parts.classify);
  if (received === undefined) return retry(parts, record.messageId, { reason: 'message_malformed' });
  const settings = { now: parts.now(), eventRetentionDays: parts.eventRetentionDays };
  try {
    // Before the row: who replays since the first event of a name finds every event of it.
    await recordEventName(received, settings.now.toISOString());
    const stored = await storeBody(parts.store, received, settings);
    await recordKeyUse(received);
    return { stored };
  } catch (error) {
    return retry(parts, record.messageId, { reason: 'event_not_recorded', error });
  }
}

/** The verdict for a stored body: its orders decide, and then its own row. */
async function finish(parts: ConsumerParts, stored: Stored, merges: MergeResults): Promise<Verdict> {
  const { received } = stored;
  try {
    if (stored.kind === 'first') return await finishFirst(parts, stored, merges);
    if (stored.kind === 'again') return await finishAgain(parts, received, stored.event);
    reportHandled(parts, received, { row: stored.row, isNew: stored.isNew });
    return done(received);
  } catch (error) {
    return retry(parts, received.messageId, { reason: 'event_not_applied', error });
  }
}

async function finishFirst(parts: ConsumerParts, first: First, results: MergeResults): Promise<Verdict> {
  const { received, row, event, rest } = first;
  const merges = await mergeAndSettle(parts, first, results);
  // An order is full, or its row has changed since: a repair finds out what follows.
  if (merges === undefined) return finishAgain(parts, received, event, { isNew: true });
  if (!(await repairAll(parts, row.mode, rest.joining)))
    return retry(parts, received.messageId, { reason: 'event_busy' });
  const [assigned] = rest.assigned;
  const settled = assigned === undefined ? row : { ...row, outcome: 'applied' as const };
  reportHandled(parts, received, { row: settled, assigned, isNew: true, merges });
  return done(received);
}

async function mergeAndSettle(
  { store, now, eventRetentionDays }: ConsumerParts,
  first: First,
  results: MergeResults,
): Promise<MergedOrders | undefined> {
  try {
    const merges = mergesOf(first, results);
    return (await settle(store, first, { now: now(), eventRetentionDays })) ? merges : undefined;
  } catch (error) {
    if (error instanceof PermanentStoreError) return undefined;
    throw error;
  }
}

async function finishAgain(
  parts: ConsumerParts,
  received: Received,
  event: Parameters<typeof redeliver>[2],
  { isNew = false } = {},
): Promise<Verdict> {
  const result = await redeliver(parts, received, event);
  if (result.kind === 'retry') return retry(parts, received.messageId, { reason: result.reason });
  if (result.kind === 'left') {
    parts.telemetry.log('error', 'event left as it is', { event_id: event.eventId, reason: result.reason });
    return done(received);
  }
  if (result.isVariant) parts.telemetry.count(metricNames.eventsRepeatedInOtherBytes);
  const [assigned] = result.row?.assignedOrderIds ?? [];
  reportHandled(parts, received, { row: result.row, assigned, isNew: isNew || result.isNew });
  return done(received);
}

const done = ({ messageId }: Received): Verdict => ({ kind: 'done', messageId });

function retry({ telemetry }: ConsumerParts, messageId: string, cause: RetryCause): Verdict {
  reportRetry(telemetry, messageId, cause);
  return { kind: 'retry', messageId };
}
