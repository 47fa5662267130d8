import { mergeFacts } from '../consumer/merge-facts.ts';
import { type Joined, joinOrder, type PendingFact } from '../consumer/routes.ts';
import { eventKey, eventRecord } from '../contract/schema.ts';
import { currentFacts } from '../domain/counted-events.ts';
import { leftFact, parseFact } from '../domain/fact.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { EventRow } from '../ports/stores.ts';
import type { TransactionRow } from '../ports/transactions.ts';
import { correctionsAmong, correctionsOf } from './corrections.ts';
import { type FormerRow, isNamedByOther, isPaymentIn } from './named-order.ts';
import type { ReadRow } from './read-row.ts';
import type { ReplayParts } from './replay-parts.ts';

/** What follows from the departure of orders from transactions. */
export interface Departure {
  /** The corrections of what the order has because of the transaction. */
  readonly corrections: readonly PendingFact[];
  /** The events without an order id, which must be assigned anew. */
  readonly eventIds: readonly string[];
  /** What orders get that join their transactions again. */
  readonly rejoined: readonly Joined[];
}

const none: Departure = { corrections: [], eventIds: [], rejoined: [] };

/**
 * The departures of all bodies under an event id that count: see `leaveFormerOrder`. `undefined` when one of
 * their orders has no room.
 */
export async function leaveFormerOrders(
  parts: ReplayParts,
  bodies: readonly ReadRow[],
): Promise<Departure | undefined> {
  const departures: Departure[] = [];
  for (const body of bodies) {
    const departure = await leaveFormerOrder(parts, body, bodies);
    if (departure === undefined) return undefined;
    departures.push(departure);
  }
  return {
    corrections: departures.flatMap(({ corrections }) => corrections),
    eventIds: [...new Set(departures.flatMap(({ eventIds }) => eventIds))],
    rejoined: departures.flatMap(({ rejoined }) => rejoined),
  };
}

/**
 * A payment that names another order, or another transaction, than an older version read in it: the former
 * order leaves the transaction, before the payment joins the other one and both would be marked as shared.
 * A repetition after a crash does all of it again: the row is the last thing that a replay changes.
 * `undefined` when the order has no room for the mark of its departure; then it stays. `bodies` are all under
 * the event id that count: one of them may still name the order.
 */
async function leaveFormerOrder(
  parts: ReplayParts,
  { found, row }: ReadRow,
  bodies: readonly ReadRow[],
): Promise<Departure | undefined> {
  const { mode, transactionId, eventName = '' } = found;
  const orderId = found.orderId ?? admittedUnder(found);
  if (orderId === undefined || transactionId === undefined || parts.meaningOf(eventName) !== 'paid')
    return none;
  const isUnnamed = found.orderId === undefined && row.orderId === undefined;
  const stays = (isUnnamed || row.orderId === orderId) && row.transactionId === transactionId;
  if (stays) return none;
  const former = { ...found, orderId, transactionId };
  const waitingIn = async ({ facts }: Pick<TransactionRow, 'facts'>): Promise<readonly WaitingEvent[]> =>
    (await waitingEvents(parts, mode, facts)).filter(({ eventId }) => eventId !== found.eventId);
  const isNamed = bodies.some((body) => isPaymentIn(parts, body.row, former));
  /** Whether an operator gave the transaction this order, or another payment names it. */
  const isKept = async (events: readonly WaitingEvent[]): Promise<boolean> =>
    isNamed ||
    events.some(({ row }) => row !== undefined && admittedUnder(row) === orderId) ||
    isNamedByOther(parts, former);
  /** The order may have left, here or before a crash: what came without an order id since then lacks it. */
  const stay = async (): Promise<Departure> => {
    const rejoined = await joinOrder(parts.transactions, mode, { orderId, transactionId });
    const events = await waitingIn({ facts: rejoined.waitingFacts });
    return { corrections: [], eventIds: events.map(({ eventId }) => eventId), rejoined: [rejoined] };
  };
  const before = await parts.transactions.get(mode, transactionId);
  const isIn = before.orderIds.includes(orderId);
  const inside = await waitingIn(before);
  if (await isKept(inside)) {
    const known = new Set((await parts.orders.get({ mode, id: orderId }))?.facts);
    // After a crash the order may have what still waits.
    const isSettled = inside.every(({ row }) => row?.waiting !== 'unassigned');
    return isIn && isSettled && before.facts.every((fact) => known.has(fact)) ? none : stay();
  }
  if (isIn && !(await markDeparture(parts, former, before))) return undefined;
  // What joined before this may still be on its way to the order; what joins later does not find it.
  const { facts } = isIn
    ? await parts.transactions.leave({ mode, transactionId, orderId })
    : await parts.transactions.get(mode, transactionId);
  const events = await waitingIn({ facts });
  if (await isKept(events)) return stay();
  return depart(parts, { mode, orderId, transactionId, facts, isIn, events });
}

interface Leaving {
  readonly mode: AnyMode;
  readonly orderId: string;
  readonly transactionId: string;
  /** Those of the transaction, once the order has left it. */
  readonly facts: readonly string[];
  /** Whether the order leaves now, and not before a crash. */
  readonly isIn: boolean;
  readonly events: readonly WaitingEvent[];
}

/**
 * For a payment that joined before the order leaves, and comes to the order after the second look. Resolves
 * with whether the order may leave: where it has no room for the mark, it may only if it counts nothing of
 * the transaction, because it has refused the payment too.
 */
async function markDeparture(
  parts: ReplayParts,
  { mode, eventId, orderId: id, transactionId }: FormerRow,
  { facts }: TransactionRow,
): Promise<boolean> {
  const mark = { order: { mode, id }, facts: new Set([leftFact(transactionId)]) };
  const { refused } = await mergeFacts(parts, mark, parts.now);
  if (refused.size === 0) return true;
  const known = (await parts.orders.get(mark.order))?.facts.map(parseFact) ?? [];
  return facts.length === 0 && !known.some((fact) => fact.kind === 'event' && fact.eventId === eventId);
}

/** Corrects what the order has because of a transaction that it has left. */
async function depart(
  parts: ReplayParts,
  { mode, orderId, transactionId, facts, isIn, events }: Leaving,
): Promise<Departure> {
  const held = correctionsAmong((await parts.orders.get({ mode, id: orderId }))?.facts ?? []);
  const texts = facts.filter((text) => parseFact(text).kind === 'event');
  // A repetition after a crash: what the row of the transaction has is not on its way any more.
  const onTheirWay = isIn ? [facts] : [];
  const corrections = events.flatMap(({ eventId, row }) => {
    // Its own row names the order by now.
    if (row?.orderId === orderId) return [];
    return correctionsOf([...held, ...texts], { eventId, expected: new Set(), related: onTheirWay });
  });
  // Where the order comes back with another payment, they count in it again.
  const counting = new Set(currentFacts(facts).keys());
  const related = [correctionsAmong([...held, ...corrections], counting)];
  for (const { eventId } of events)
    for (const fact of correctionsOf(facts, { eventId, expected: counting, related }))
      await parts.transactions.join({ mode, transactionId, add: { correction: fact } });
  return {
    corrections: corrections.map((fact) => ({ orderId, fact })),
    eventIds: events.map(({ eventId }) => eventId),
    rejoined: [],
  };
}

interface WaitingEvent {
  readonly eventId: string;
  readonly row: EventRow | undefined;
}

/** The events whose facts are in the row of a transaction. */
async function waitingEvents(
  { events }: ReplayParts,
  mode: AnyMode,
  facts: readonly string[],
): Promise<readonly WaitingEvent[]> {
  const parsed = facts.map(parseFact).filter((fact) => fact.kind === 'event');
  const ids = [...new Set(parsed.map(({ eventId }) => eventId))];
  return Promise.all(
    ids.map(async (id) => ({ eventId: id, row: await events.getRow(eventKey(mode, id), eventRecord.event) })),
  );
}

const admittedUnder = ({ judged }: EventRow): string | undefined =>
  judged?.verdict === 'admitted' ? judged.orderId : undefined;
