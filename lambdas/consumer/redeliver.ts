import { eventKey } from '../contract/schema.ts';
import { eventFact } from '../domain/fact.ts';
import { isSameReading, type Reading } from '../domain/payment-event.ts';
import type { AnyMode } from '../domain/signature.ts';
import { type EventRow, isContender, isOwn, type ReadRow } from '../ports/rows.ts';
import type { DeliveryStore } from '../ports/stores.ts';
import { type Intention, type RepairParts, repair } from '../projection/repair.ts';
import { conflictRow, eventRow, hasBodyRow, type RowSettings } from './event-rows.ts';
import type { Classify, ReadEvent, ReceivedBody } from './receive.ts';

export interface RedeliverParts extends RepairParts {
  readonly store: RepairParts['store'] & DeliveryStore;
  readonly classify: Classify;
}

/** What a delivery is under an id that is taken. */
export type Redelivered =
  | ({ readonly kind: 'done'; readonly row: EventRow } & Pick<Delivered, 'isNew'>)
  /**
   * Tried again: another actor changes the event, or may still be writing; or the repair is larger than one
   * transaction, and ends in the dead-letter queue, where an alarm shows it.
   */
  | { readonly kind: 'retry'; readonly reason: 'event_busy' | 'event_too_large' }
  /** Its body is stored and waits; the orders are as they were. */
  | { readonly kind: 'left'; readonly reason: string };

/**
 * A delivery of an event whose id is taken, perhaps by our own earlier write whose response was lost, or by
 * one that a crash left unfinished: everything that follows from the rows under the id is completed, with the
 * readings that are stored. A body that says something else is stored as a conflict.
 */
export async function redeliver(
  parts: RedeliverParts,
  received: ReceivedBody,
  event: ReadEvent,
): Promise<Redelivered> {
  const { mode } = received.message;
  const settings = { now: parts.now(), eventRetentionDays: parts.eventRetentionDays };
  const delivery = { parts, received, event, settings };
  const repaired = await repair(parts, { mode, eventId: event.eventId }, (rows) =>
    addDelivery(rows, delivery),
  );
  if (repaired.kind === 'busy') return { kind: 'retry', reason: 'event_busy' };
  if (repaired.kind === 'done') {
    const { row, isNew } = repaired.intention;
    // The rows under the id come first.
    const changed = repaired.plan.events.find(({ after }) => after.record === row.record);
    return { kind: 'done', row: changed?.after ?? row, isNew };
  }
  const { reason } = repaired;
  if (reason === 'too_large') return { kind: 'retry', reason: 'event_too_large' };
  return (await isBodyKept(parts.store, delivery))
    ? { kind: 'left', reason }
    : { kind: 'retry', reason: 'event_busy' };
}

/** Brings events up to date that have an order now because their payment came; `false` when one must wait. */
export async function repairAll(
  parts: RepairParts,
  mode: AnyMode,
  eventIds: readonly string[],
): Promise<boolean> {
  for (const eventId of eventIds) {
    const { kind } = await repair(parts, { mode, eventId }, (rows) => ({ rows }));
    if (kind === 'busy') return false;
  }
  return true;
}

export interface Delivered extends Intention {
  /** The row that has the body, or what it says. */
  readonly row: ReadRow;
  readonly isNew: boolean;
}

interface Delivery {
  readonly parts: Pick<RedeliverParts, 'classify'>;
  readonly received: ReceivedBody;
  readonly event: ReadEvent;
  readonly settings: RowSettings;
}

/** What a body is among the rows under its id: one of them, the event if its id is free, or a conflict. */
export function addDelivery(
  rows: readonly EventRow[],
  { parts, received, event, settings }: Delivery,
): Delivered {
  const bodies = rows.filter(isContender);
  const same = bodies.find(({ bodySha256 }) => bodySha256 === received.bodySha256);
  if (same !== undefined) {
    const row = lacksBody(same, settings) ? { ...same, body: received.message.body, bodyRow: {} } : same;
    const completed = rows.map((other) => (other === same ? row : other));
    return { rows: completed, row, isNew: false };
  }
  // Other bytes may say the same.
  const variant = bodies.find((row) => says(row, parts.classify, event.reading));
  if (variant !== undefined) return { rows, row: variant, isNew: false };
  const row = (bodies.some(isOwn) ? conflictRow : eventRow)(received, event, settings);
  return { rows: [...rows, row], row, isNew: true };
}

/**
 * As this version reads both bodies; the stored reading stands for a body that is gone, whose name may have
 * had another meaning.
 */
function says({ body, mode, reading }: ReadRow, classify: Classify, other: Reading): boolean {
  const read = body && classify({ body, mode });
  const stored = read !== undefined && 'reading' in read ? read.reading : reading;
  return isSameReading({ ...stored, meaning: other.meaning }, other);
}

/** Whether the first attempt ended between the row of the event and that of its body. */
function lacksBody(row: EventRow, settings: RowSettings): boolean {
  if (!hasBodyRow(row, settings) || row.body !== undefined || row.erased !== undefined) return false;
  const keptMilliseconds = (settings.eventRetentionDays ?? 0) * 24 * 60 * 60 * 1000;
  return row.waiting !== undefined || Date.parse(row.recordedAt) + keptMilliseconds > settings.now.getTime();
}

/**
 * A body under an id that no repair handles is kept, and waits for a person. One whose order lacks it, and
 * which does not wait, is tried again (`false`), and ends in the dead-letter queue: nothing else would show
 * that its first delivery was interrupted.
 */
async function isBodyKept(
  store: RedeliverParts['store'],
  { received, event, settings }: Delivery,
): Promise<boolean> {
  const { eventId } = event;
  const { bodySha256, message } = received;
  const rows = await store.findBody(eventKey(message.mode, eventId), bodySha256);
  const stored = rows.filter((row) => row.bodySha256 === bodySha256);
  const { reading, waiting } = stored.find(isOwn) ?? {};
  if (reading?.orderId != null && waiting === undefined) {
    const order = (await store.orderRows(message.mode, [reading.orderId])).get(reading.orderId);
    if (!order?.facts.includes(eventFact(eventId, reading))) return false;
  }
  if (stored.length === 0) await store.put(conflictRow(received, event, settings));
  return true;
}
