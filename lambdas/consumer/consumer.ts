import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { SealKey } from '../contract/seal.ts';
import type { Postpone } from '../ports/postpone.ts';
import { type DeliveryStore, type KeyUseWriter, PermanentStoreError } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { KeyRing } from '../verifier/key-ring.ts';
import { type First, type Stored, settle, storeBody, storeUnsealed } from './deliver.ts';
import { type MergeErrors, mergeOrders, throwFailed } from './merge-facts.ts';
import { measureRetries, postponeRetries } from './postpone-retries.ts';
import { type Received, receive } from './receive.ts';
import { type RedeliverParts, redeliver, repairAll } from './redeliver.ts';
import { createRemembered, type Remembered } from './remembered.ts';
import { type RetryCause, reportHandled, reportRetry } from './report.ts';
import { createSealCheck } from './seals.ts';

export interface ConsumerParts extends RedeliverParts {
  readonly store: RedeliverParts['store'] & DeliveryStore;
  readonly sealKeys: KeyRing<SealKey>;
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
  const remembered = createRemembered(parts);

  return async function consumeBatch({ Records }) {
    try {
      measureRetries(parts, Records);
      const batch = { ...remembered, checkSeal: createSealCheck(parts.sealKeys) };
      const steps = await Promise.all(Records.map((record) => storeRecord(parts, record, batch)));
      const errors = await mergeOrders(parts, steps.filter(isFirst));
      const verdicts = await Promise.all(steps.map((stored) => stored && finish(parts, stored, errors)));
      const retried = Records.filter((_, n) => !verdicts[n]);
      await postponeRetries(parts, retried);
      return batchResponse(retried);
    } finally {
      parts.telemetry.flush();
    }
  };
}

/** Whether the message may be deleted. A quarantined one is done: it is stored with its reason. */
type Verdict = boolean;
const done = true;

/**
 * The only place that writes `batchItemFailures` for the queue: Lambda deletes the whole batch when the list
 * is empty, and fails the whole batch on a wrong key name or an empty id.
 */
const batchResponse = (retried: readonly SQSRecord[]): SQSBatchResponse => ({
  batchItemFailures: retried.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

const isFirst = (stored: Stored | false): stored is First => stored && stored.kind === 'first';

async function storeRecord(
  parts: ConsumerParts,
  record: SQSRecord,
  {
    recordEventName,
    recordKeyUse,
    checkSeal,
  }: Remembered & { checkSeal: ReturnType<typeof createSealCheck> },
): Promise<Stored | false> {
  const received = receive(record, parts.classify);
  if (received === undefined) return retry(parts, record.messageId, { reason: 'message_malformed' });
  const sealed = await checkSeal(received);
  if (sealed === undefined) return retry(parts, record.messageId, { reason: 'seal_unknown' });
  const settings = { now: parts.now(), eventRetentionDays: parts.eventRetentionDays };
  try {
    if (!sealed) return await storeUnsealed(parts.store, received, settings);
    // Before the row: who replays since the first event of a name finds every event of it.
    await recordEventName(received, settings.now.toISOString());
    const stored = await storeBody(parts.store, received, settings);
    await recordKeyUse(received);
    return stored;
  } catch (error) {
    return retry(parts, record.messageId, { reason: 'event_not_recorded', error });
  }
}

/** The verdict for a stored body: its orders decide, and then its own row. */
async function finish(parts: ConsumerParts, stored: Stored, errors: MergeErrors): Promise<Verdict> {
  const { received } = stored;
  try {
    if (stored.kind === 'first') return await finishFirst(parts, stored, errors);
    if (stored.kind === 'again') return await finishAgain(parts, received, stored.event);
    reportHandled(parts, received, { row: stored.row, isNew: stored.isNew });
    return done;
  } catch (error) {
    return retry(parts, received.messageId, { reason: 'event_not_applied', error });
  }
}

async function finishFirst(parts: ConsumerParts, first: First, errors: MergeErrors): Promise<Verdict> {
  const { received, row, event, rest } = first;
  // An order is full, or its row has changed since: a repair finds out what follows.
  if (!(await isMergedAndSettled(parts, first, errors)))
    return finishAgain(parts, received, event, { isNew: true });
  if (!(await repairAll(parts, row.mode, rest.joining)))
    return retry(parts, received.messageId, { reason: 'event_busy' });
  const [assigned] = rest.assigned;
  const settled = assigned === undefined ? row : { ...row, outcome: 'applied' as const };
  reportHandled(parts, received, { row: settled, assigned, isNew: true });
  return done;
}

async function isMergedAndSettled(
  { store, now, eventRetentionDays }: ConsumerParts,
  first: First,
  errors: MergeErrors,
): Promise<boolean> {
  try {
    throwFailed(first, errors);
    return await settle(store, first, { now: now(), eventRetentionDays });
  } catch (error) {
    if (error instanceof PermanentStoreError) return false;
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
    return done;
  }
  const [assigned] = result.row.assignedOrderIds;
  reportHandled(parts, received, { row: result.row, assigned, isNew: isNew || result.isNew });
  return done;
}

function retry({ telemetry }: ConsumerParts, messageId: string, cause: RetryCause): false {
  reportRetry(telemetry, messageId, cause);
  return false;
}
