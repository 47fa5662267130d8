import { eventFact } from '../domain/fact.ts';
import { isSameReading, type Reading } from '../domain/reading.ts';
import type { AnyMode } from '../domain/signature.ts';
import { type EventRow, isConflict, isOwn } from '../ports/rows.ts';
import type { DeliveryStore } from '../ports/stores.ts';
import { type Repaired, type RepairParts, repair } from '../projection/repair.ts';
import type { Classify, ReadEvent } from './classify.ts';
import { conflictRow, eventRow, hasBodyRow, type RowSettings } from './event-rows.ts';
import type { ReceivedBody } from './receive.ts';

export interface RedeliverParts extends RepairParts {
  readonly store: RepairParts['store'] & DeliveryStore;
  readonly classify: Classify;
}

/** What a delivery is under an id that is taken. */
export type Redelivered =
  | {
      readonly kind: 'done';
      readonly row: EventRow | undefined;
      readonly isNew: boolean;
      readonly isVariant: boolean;
    }
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
  let found: Delivered = { rows: [], record: '', isNew: false, isVariant: false };
  const repaired = await repair(parts, { mode, eventId: event.eventId }, (rows) => {
    found = addDelivery(rows, { parts, received, event, settings });
    return { rows: found.rows };
  });
  if (repaired.kind === 'busy') return { kind: 'retry', reason: 'event_busy' };
  if (repaired.kind === 'left' && repaired.reason === 'too_large')
    return { kind: 'retry', reason: 'event_too_large' };
  if (repaired.kind === 'left') return keepBody(parts, conflictRow(received, event, settings), repaired);
  const { record, isNew, isVariant } = found;
  const row = repaired.kind === 'done' ? rowAfter(repaired.plan.events, record, found.rows) : undefined;
  return { kind: 'done', row, isNew, isVariant };
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

const rowAfter = (
  changes: readonly { readonly after: EventRow }[],
  record: string,
  rows: readonly EventRow[],
): EventRow | undefined => {
  const isMeant = (row: EventRow): boolean => row.record === record && row.key === rows[0]?.key;
  return changes.map(({ after }) => after).find(isMeant) ?? rows.find(isMeant);
};

export interface Delivered {
  readonly rows: readonly EventRow[];
  /** Of the row that has the body, or what it says. */
  readonly record: string;
  readonly isNew: boolean;
  /** Other bytes that say the same. */
  readonly isVariant: boolean;
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
  const bodies = rows.filter((row) => isOwn(row) || isConflict(row));
  const same = bodies.find(({ bodySha256 }) => bodySha256 === received.bodySha256);
  if (same !== undefined) {
    const isComplete = !lacksBody(same, settings);
    const completed = rows.map((row) =>
      row === same && !isComplete ? { ...row, body: received.message.body, bodyRow: {} } : row,
    );
    return { rows: completed, record: same.record, isNew: false, isVariant: false };
  }
  const variant = bodies.find((row) => says(row, parts.classify, event.reading));
  if (variant !== undefined) return { rows, record: variant.record, isNew: false, isVariant: true };
  const added = (bodies.some(isOwn) ? conflictRow : eventRow)(received, event, settings);
  return { rows: [...rows, added], record: added.record, isNew: true, isVariant: false };
}

/**
 * As this version reads both bodies; the stored reading stands for a body that is gone, whose name may have
 * had another meaning.
 */
function says({ body, mode, reading }: EventRow, classify: Classify, other: Reading): boolean {
  const read = body && classify({ body, mode });
  const stored = read !== undefined && 'reading' in read ? read.reading : reading;
  return stored !== undefined && isSameReading({ ...stored, meaning: other.meaning }, other);
}

/** Whether the first attempt ended between the row of the event and that of its body. */
function lacksBody(row: EventRow, settings: RowSettings): boolean {
  if (!hasBodyRow(row, settings) || row.body !== undefined || row.erased !== undefined) return false;
  const keptMilliseconds = (settings.eventRetentionDays ?? 0) * 24 * 60 * 60 * 1000;
  return row.waiting !== undefined || Date.parse(row.recordedAt) + keptMilliseconds > settings.now.getTime();
}

/**
 * A body under an id that no repair handles is kept, and waits for a person. One whose order lacks it, and
 * which does not wait, is tried again, and ends in the dead-letter queue: nothing else would show that its
 * first delivery was interrupted.
 */
async function keepBody(
  { store }: RedeliverParts,
  conflict: EventRow,
  { reason }: Extract<Repaired, { kind: 'left' }>,
): Promise<Redelivered> {
  const { key, mode, eventId = '', bodySha256 } = conflict;
  const rows = await store.findBody(key, bodySha256);
  const stored = rows.filter((row) => row.bodySha256 === bodySha256);
  const { reading, waiting } = stored.find(isOwn) ?? {};
  if (reading?.orderId != null && waiting === undefined) {
    const order = (await store.orderRows(mode, [reading.orderId])).get(reading.orderId);
    if (!order?.facts.includes(eventFact(eventId, reading))) return { kind: 'retry', reason: 'event_busy' };
  }
  if (stored.length === 0) await store.put(conflict);
  return { kind: 'left', reason };
}
