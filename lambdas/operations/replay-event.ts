import { applyEvent, joinEvent, mergeOrders, mergesOf } from '../consumer/apply.ts';
import type { Applicable } from '../consumer/record-event.ts';
import type { PendingFact } from '../consumer/routes.ts';
import { settleRows } from '../consumer/settle-rows.ts';
import { replayEventsAtOnce } from '../contract/operations-limits.ts';
import type { Mode } from '../domain/signature.ts';
import type { EventRow } from '../ports/stores.ts';
import { readingOf } from './admitted-conflicts.ts';
import { correctEvent } from './correct-event.ts';
import { leaveFormerOrders } from './moved-payment.ts';
import { isSameReading } from './read-row.ts';
import { recordAgain, routedAs, settingsAt } from './record-again.ts';
import type { ReplayParts } from './replay-parts.ts';
import { eventsAsRead, type ReplaySubject, subjectAmong, subjectOf } from './replay-subject.ts';
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
function isToMove(parts: ReplayParts, rows: readonly EventRow[]): boolean {
  const result = subjectOf(rows, parts);
  return (
    result.ok &&
    [result.subject, ...result.subject.conflicts].some(({ found, row }) => isElsewhere(found, row))
  );
}

const isElsewhere = (before: EventRow, after: EventRow): boolean =>
  before.orderId !== after.orderId || before.transactionId !== after.transactionId;

const isLeftForRoom = (event: ReplayedEvent): boolean =>
  event.kind === 'left' && event.reason === 'order_full';

/**
 * Reads the rows of events that may be replayed at the same time. `undefined` when one of several is about to
 * move: the others would read its transaction before or after it moved.
 */
export async function readTogether<Event extends ReplayedId>(
  parts: ReplayParts,
  mode: Mode,
  events: readonly Event[],
): Promise<readonly (Event & { readonly rows: readonly EventRow[] })[] | undefined> {
  const found = await Promise.all(
    events.map(async (event) => ({ ...event, rows: await parts.events.find(mode, event.eventId) })),
  );
  return found.length > 1 && found.some(({ rows }) => isToMove(parts, rows)) ? undefined : found;
}

/** Replays what moves with an event, until a part has no room. Resolves with whether all had room. */
async function replayOthers(parts: ReplayParts, mode: Mode, events: readonly Replaying[]): Promise<boolean> {
  for (let start = 0; start < events.length; start += replayEventsAtOnce) {
    const some = events.slice(start, start + replayEventsAtOnce);
    const together = await readTogether(parts, mode, some);
    const turns = together === undefined ? some.map((one) => [one]) : [together];
    for (const turn of turns) {
      const results = await Promise.all(turn.map((event) => replayEvent(parts, mode, event)));
      if (results.some(isLeftForRoom)) return false;
    }
  }
  return true;
}

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
  const result = subjectAmong(rows, parts, {
    follows: underWay.size > 0,
    isHeld: heldBy !== undefined,
  });
  if (!result.ok) return { kind: 'left', eventId, reason: result.reason };
  const { subject } = result;
  const events = eventsAsRead(parts.events, subject);
  const departure = await leaveFormerOrders(parts, [subject, ...subject.conflicts]);
  if (departure === undefined) return { kind: 'left', eventId, reason: 'order_full' };
  const { bodies, isWhole } = await recordAgain({ ...parts, events }, subject, rows);
  const routes = bodies.flatMap((routed) => routed.routes);
  const joined: Applicable[] = departure.rejoined.map((one) => ({ mode, routes: [], ...one }));
  for (const routed of bodies) joined.push(await joinEvent(parts, routed));
  const pending = joined.flatMap(({ pendingFacts }) => pendingFacts);
  // Where a body was not read, it is not known which facts it yields, so that none is corrected.
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
    pendingFacts: [...departure.corrections, ...corrections],
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
  const others = departure.eventIds
    .filter((id) => !busy.has(id))
    .map((id) => ({ eventId: id, underWay: busy }));
  if (!(await replayOthers(parts, mode, others))) return { kind: 'left', eventId, reason: 'order_full' };
  const orderIds = ordersOf(subject, pending);
  // What moved may have taken an order out of the transaction of this event.
  const left = others.length > 0 ? await ordersLeft(parts, subject.row, orderIds) : orderIds;
  const readings = isWhole ? subject.conflicts.flatMap(readingOf) : [];
  await Promise.all(readings.map((reading) => parts.events.reread(reading)));
  const after = await rereadRow(parts, subject, new Set(left));
  if (after.waiting === 'unassigned') await settleAgain(parts, after, subject.fact);
  const facts = [...pending, ...correction.pendingFacts];
  return { kind: 'replayed', eventId, before: subject.found, after, facts };
}

/**
 * For an event whose row waits since its replay: a payment that joined its transaction meanwhile may have
 * settled the row before that, and will not do so again.
 */
async function settleAgain(parts: ReplayParts, row: EventRow, fact: string): Promise<void> {
  await applyEvent(parts, routedAs(row, fact, parts.meaningOf), settingsAt(parts, parts.now()));
}

/**
 * The orders in which the event counts. One that names its order counts there alone, although its fact may
 * still be in the row of its transaction from when its order was not read.
 */
const ordersOf = ({ row, fact }: ReplaySubject, pending: readonly PendingFact[]): readonly string[] =>
  row.orderId === undefined
    ? pending.filter((one) => one.fact === fact).map(({ orderId }) => orderId)
    : [row.orderId];

/** Those of its orders that the transaction of an event still has, or that an operator gave to the event. */
async function ordersLeft(
  { transactions }: ReplayParts,
  { mode, orderId, transactionId, judged }: EventRow,
  orderIds: readonly string[],
): Promise<readonly string[]> {
  if (orderId !== undefined || transactionId === undefined) return orderIds;
  const row = await transactions.get(mode, transactionId);
  return orderIds.filter((id) => row.orderIds.includes(id) || id === judged?.orderId);
}
