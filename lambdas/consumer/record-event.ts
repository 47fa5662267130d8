import { eventRecord } from '../contract/schema.ts';
import { eventFact } from '../domain/fact.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { EventRow, EventWriter, Outcome } from '../ports/stores.ts';
import {
  bodyExpiry,
  conflictRow,
  eventRow,
  quarantineRow,
  type RowSettings,
  unrecognisedRow,
} from './event-rows.ts';
import { type Recording, recordOther, recordVariant } from './other-bodies.ts';
import type { Received } from './receive.ts';
import { type Conflict, type Joined, type Route, routesOfConflict, routesOfEvent } from './routes.ts';

/** A record whose row is stored, and the facts that still have to reach their orders. */
export interface RecordedEvent {
  readonly mode: AnyMode;
  readonly received: Received;
  readonly outcome: Outcome;
  readonly reason?: EventRow['reason'];
  /** Whether this record stored the row; false for a duplicate. */
  readonly fresh: boolean;
  readonly routes: readonly Route[];
  /** The stored row and the fact of the event, unless another event has its id. */
  readonly own?: { readonly row: EventRow; readonly fact: string };
}

/** With what its transaction's row has added. */
export type Recorded = RecordedEvent & Joined;

/** What an event of the queue and one that an operator admits have in common: facts, and their routes. */
export type Routed = Pick<RecordedEvent, 'mode' | 'routes' | 'own'>;
export type Applicable = Routed & Joined;

export async function recordEvent(
  events: EventWriter,
  received: Received,
  settings: RowSettings,
): Promise<RecordedEvent> {
  const { classification } = received;
  switch (classification.kind) {
    case 'unrecognised': {
      const row = unrecognisedRow(received, classification.reason, settings);
      return recordWaiting({ events, received, settings }, row);
    }
    case 'quarantined':
      return recordWaiting({ events, received, settings }, quarantineRow(received, classification, settings));
    case 'recorded':
    case 'applied':
      return recordUnderId({ events, received, settings }, classification.event);
  }
}

async function recordWaiting({ events, received }: Recording, row: EventRow): Promise<RecordedEvent> {
  const { kind } = await events.put(row);
  const { mode, outcome, reason } = row;
  return { mode, received, outcome, ...(reason && { reason }), fresh: kind === 'stored', routes: [] };
}

/**
 * Record first, then merge, and never skip the merge: an existing row of the same event may be our own
 * earlier write whose response was lost, or one that a crash left without its merge. So its fact is always
 * pending.
 */
async function recordUnderId(recording: Recording, event: PaymentEvent): Promise<RecordedEvent> {
  const { received, settings } = recording;
  const row = eventRow(received, event, settings);
  const fact = eventFact(event);
  const routes = routesOfEvent(row, fact, settings.meaningOf);
  const taken = await takeId(recording, row);
  let stored = row;
  if (taken.kind === 'present') {
    const { first } = taken;
    const sameBytes = first?.bodySha256 === row.bodySha256;
    if (first === undefined || !(sameBytes || (first.fact === fact && first.orderId === row.orderId))) {
      return recordConflict(recording, event, { first, row, routes });
    }
    if (!sameBytes) await recordVariant(recording, event, { first, row });
    stored = await resume(recording, first, { ...row, fact });
  }
  const fresh = taken.kind === 'stored';
  return { mode: row.mode, received, outcome: row.outcome, fresh, routes, own: { row: stored, fact } };
}

type Taken =
  | { readonly kind: 'stored' }
  /**
   * `first` is `undefined` when its row, of 0.2.0, has expired since this body was judged to be a conflict.
   */
  | { readonly kind: 'present'; readonly first: EventRow | undefined };

/**
 * Stores the row of an event unless the id is taken. When bodies expire, the body comes first, in a row of
 * its own that does not expire while the event waits.
 */
async function takeId({ events, received, settings }: Recording, row: EventRow): Promise<Taken> {
  const expiresAt = bodyExpiry(settings);
  if (expiresAt !== undefined) {
    const { key, bodySha256, waiting } = row;
    const body = { key, bodySha256, body: received.message.body };
    const [judged] = await Promise.all([
      events.getRow(key, eventRecord.conflict(bodySha256)),
      events.putBody(waiting === undefined ? { ...body, expiresAt } : body),
    ]);
    if (judged !== undefined) return { kind: 'present', first: await events.getRow(key, eventRecord.event) };
  }
  const result = await events.put(row);
  return result.kind === 'stored' ? result : { kind: 'present', first: result.row };
}

/**
 * The row of an event that is delivered again. 0.2.0 stored an event without an order id as recorded,
 * whatever it meant, and without its fact; both are corrected before the fact can reach an order. An event
 * that an operator judged does not wait again, so its body, which may just have been stored again, expires.
 */
async function resume(
  { events, settings }: Recording,
  stored: EventRow,
  { outcome, waiting, fact }: EventRow,
): Promise<EventRow> {
  const expiresAt = bodyExpiry(settings);
  if (expiresAt !== undefined && waiting !== undefined && stored.judged && stored.waiting === undefined) {
    await events.setBodyExpiry(stored, expiresAt);
  }
  if (stored.outcome !== 'recorded') return stored;
  const { key, mode, bodySha256 } = stored;
  const state = { outcome, ...(waiting && { waiting }), ...(fact && { fact }) };
  // The body first: once the row is corrected, a repetition does not come back to it.
  if (waiting !== undefined && expiresAt !== undefined) {
    await events.setBodyExpiry(stored, undefined);
  }
  await events.settle({ key, mode, bodySha256, from: 'recorded', ...state });
  return { ...stored, ...state };
}

/**
 * Two events under one id. If both belong to one destination, it gets both facts, and the fold chooses
 * between them by content. Otherwise the first one counts, and both destinations get a mark.
 */
async function recordConflict(
  recording: Recording,
  event: PaymentEvent,
  { first, row, routes }: Conflict,
): Promise<RecordedEvent> {
  const { received, settings } = recording;
  const { kind } = await recordOther(recording, row, conflictRow(received, event, settings));
  const conflictRoutes = routesOfConflict({ first, row, routes });
  const fresh = kind === 'stored';
  return { mode: row.mode, received, outcome: 'conflict', fresh, routes: conflictRoutes };
}
