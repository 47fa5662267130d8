import { joinEvent, mergeOrders, mergesOf } from '../consumer/apply.ts';
import { eventRow, type RowSettings } from '../consumer/event-rows.ts';
import type { Applicable, Routed } from '../consumer/record-event.ts';
import { recordEvent } from '../consumer/record-event.ts';
import { type PendingFact, type Route, routesOfEvent, routesTo } from '../consumer/routes.ts';
import { settleRows } from '../consumer/settle-rows.ts';
import { eventRecordsMax } from '../contract/operations-limits.ts';
import { eventRecord } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { eventFact } from '../domain/fact.ts';
import type { Mode } from '../domain/signature.ts';
import type { EventRow } from '../ports/stores.ts';
import { correctEvent } from './correct-event.ts';
import { leaveFormerOrder } from './moved-payment.ts';
import { readAgain } from './read-again.ts';
import type { ReplayParts } from './replay-parts.ts';
import { eventsAsRead, isSameReading, type ReplaySubject, subjectOf } from './replay-subject.ts';
import { rereadRow } from './reread-row.ts';

export type ReplayedEvent =
  | {
      readonly kind: 'replayed';
      readonly eventId: string;
      /** The row of the event before and after. */
      readonly before: EventRow;
      readonly after: EventRow;
      /** Every fact that its orders must hold, corrections included; most are there already. */
      readonly facts: readonly PendingFact[];
    }
  | { readonly kind: 'left'; readonly eventId: string; readonly reason: string };

export interface ReplayedId {
  readonly eventId: string;
  /** The order whose facts show this event. */
  readonly heldBy?: string;
}

interface Replaying extends ReplayedId {
  /** The rows under the id, where they were just read. */
  readonly rows?: readonly EventRow[];
  /** The events whose replay has led to this one. */
  readonly underWay?: ReadonlySet<string>;
}

/** Whether the row of the event says something else by now. */
export const isReread = (event: ReplayedEvent): boolean =>
  event.kind === 'replayed' && !isSameReading(event.before, event.after);

/** Whether the event names another order or transaction than its row did. */
export const hasMoved = ({ before, after }: Extract<ReplayedEvent, { kind: 'replayed' }>): boolean =>
  isElsewhere(before, after);

/** Whether a replay will move the event of these rows. */
export function isToMove(parts: ReplayParts, rows: readonly EventRow[]): boolean {
  const result = subjectOf(rows, parts);
  return result.ok && isElsewhere(result.subject.found, result.subject.row);
}

const isElsewhere = (before: EventRow, after: EventRow): boolean =>
  before.orderId !== after.orderId || before.transactionId !== after.transactionId;

/**
 * Handles every stored body of an event again, as the consumer would, and corrects what no body yields any
 * more. It may be interrupted anywhere and repeated: facts are sets, and the event's row changes last, after
 * the events that move with it.
 */
export async function replayEvent(
  parts: ReplayParts,
  mode: Mode,
  { eventId, heldBy, rows: known, underWay = new Set() }: Replaying,
): Promise<ReplayedEvent> {
  const rows = known ?? (await parts.events.find(mode, eventId));
  // Some are not read, so it is not known which facts they yield.
  if (rows.length >= eventRecordsMax) return { kind: 'left', eventId, reason: 'too_many_bodies' };
  const result = subjectOf(rows, parts);
  if (!result.ok) return { kind: 'left', eventId, reason: result.reason };
  const { subject } = result;
  const events = eventsAsRead(parts.events, subject);
  const departure = await leaveFormerOrder(parts, subject);
  if (departure === undefined) return { kind: 'left', eventId, reason: 'order_full' };
  const { corrections: left, eventIds, rejoined } = departure;
  const { bodies, isWhole } = await readBodies({ ...parts, events }, subject, rows);
  const routes = bodies.flatMap((body) => body.routed.routes);
  const joined: Applicable[] = rejoined === undefined ? [] : [{ mode, routes: [], ...rejoined }];
  for (const body of bodies) joined.push(await joinEvent(parts, body.routed));
  const pending = joined.flatMap(({ pendingFacts }) => pendingFacts);
  // Where a body is gone, it is not known which facts it yields, so that none is corrected.
  const corrections = isWhole
    ? await correctEvent(parts, {
        mode,
        eventId,
        rows: [...rows, subject.row],
        pending,
        routes,
        heldBy,
      })
    : [];
  const correction: Applicable = {
    mode,
    routes: [],
    pendingFacts: [...left, ...corrections],
    waitingFacts: [],
  };
  const { joined: all, results: merges } = await mergeOrders(parts, [...joined, correction]);
  for (const one of all) {
    await settleRows(
      { events, merges: mergesOf(one, merges), settings: settingsAt(parts, parts.now()) },
      one,
    );
  }
  const refused = [...mergesOf(correction, merges).values()].some(({ refused }) =>
    correction.pendingFacts.some(({ fact }) => refused.has(fact)),
  );
  if (refused) return { kind: 'left', eventId, reason: 'order_full' };
  const busy = new Set([...underWay, eventId]);
  for (const id of eventIds) {
    if (busy.has(id)) continue;
    const moved = await replayEvent(parts, mode, { eventId: id, underWay: busy });
    if (moved.kind === 'left' && moved.reason === 'order_full') return { ...moved, eventId };
  }
  const after = await rereadRow(parts, subject, new Set(ordersOf(subject, pending)));
  const facts = [...pending, ...correction.pendingFacts];
  return { kind: 'replayed', eventId, before: subject.found, after, facts };
}

/**
 * The orders in which the event counts. One that names its order counts there alone, although its fact may
 * still be in the row of its transaction from when its order was not read.
 */
const ordersOf = ({ row, fact }: ReplaySubject, pending: readonly PendingFact[]): readonly string[] =>
  row.orderId === undefined
    ? pending.filter((one) => one.fact === fact).map(({ orderId }) => orderId)
    : [row.orderId];

const settingsAt = ({ eventRetentionDays, meaningOf }: ReplayParts, now: Date): RowSettings => ({
  now,
  eventRetentionDays,
  meaningOf,
});

interface ReadBody {
  readonly routed: Routed;
  readonly fact: string;
}

/** Every body under the id, recorded again. `isWhole` is false when one is gone or no longer an event. */
async function readBodies(
  parts: ReplayParts,
  subject: ReplaySubject,
  rows: readonly EventRow[],
): Promise<{ readonly bodies: readonly ReadBody[]; readonly isWhole: boolean }> {
  const bodies = [await readSubject(parts, subject)];
  let isWhole = true;
  for (const row of rows) {
    const isConflict = row.record === eventRecord.conflict(row.bodySha256);
    if (!isConflict && row.record !== eventRecord.variant(row.bodySha256)) continue;
    const again = row.body && readAgain(row, row.body, rows);
    if (!again?.ok) isWhole &&= !isConflict;
    if (!again?.ok) continue;
    const { event, received } = again;
    // As it was recorded, so that no body is kept for longer than at first.
    const recorded = await recordEvent(parts.events, received, settingsAt(parts, new Date(row.recordedAt)));
    const fact = eventFact(event);
    const { own, ...routed } = recorded;
    const { judged } = row;
    const read = eventRow(received, event, settingsAt(parts, parts.now()));
    const admitted = routesOfAdmitted({ ...read, ...(judged && { judged }) }, fact, parts.meaningOf);
    bodies.push({ fact, routed: { ...routed, routes: [...routed.routes, ...admitted] } });
  }
  return { bodies, isWhole };
}

async function readSubject(parts: ReplayParts, { found, row, fact, body }: ReplaySubject): Promise<ReadBody> {
  const settings = settingsAt(parts, new Date(found.recordedAt));
  const routed: Routed =
    body === undefined
      ? { mode: row.mode, routes: routesOfEvent(row, fact, parts.meaningOf), own: { row, fact } }
      : await recordEvent(parts.events, body.received, settings);
  const admitted = routesOfAdmitted(row, fact, parts.meaningOf);
  return { fact, routed: { ...routed, routes: [...routed.routes, ...admitted] } };
}

/** An admitted body belongs to the order that it names, or else to the one that the operator named. */
function routesOfAdmitted(
  { judged, ...row }: EventRow,
  fact: string,
  meaningOf: MeaningOf,
): readonly Route[] {
  if (judged?.verdict !== 'admitted') return [];
  if (row.orderId !== undefined) return routesOfEvent(row, fact, meaningOf);
  return [...routesTo(row, fact), ...routesTo(judged, fact)];
}
