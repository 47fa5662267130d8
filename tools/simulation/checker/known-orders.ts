import { meaningOf } from './money.ts';
import { type KnownOfOrder, type Mark, meaningfulText } from './order-state.ts';
import type { SignedEvent } from './signed-body.ts';

/** A body of one mode that may count. */
export interface RecordedBody {
  readonly event: SignedEvent;
  /** It has its event id; every other body under the id came later. */
  readonly isFirst: boolean;
  /** An operator let it count, under this order where it names none. */
  readonly admitted?: { readonly orderId: string | null } | undefined;
}

/** A fact of an event no longer counts (odd), or counts again (even). */
export interface Correction {
  readonly event: SignedEvent;
  readonly n: number;
}

export type Outcome = 'applied' | 'recorded' | 'unassigned' | 'duplicate' | 'conflict';

export interface KnownOrders {
  readonly orders: ReadonlyMap<string, KnownOfOrder>;
  /** What becomes of a body; of one without an order id, the orders in which it counts. */
  outcomeOf(body: RecordedBody): { readonly outcome: Outcome; readonly orderIds: readonly string[] };
}

/**
 * What is known of every order once all these bodies have arrived, in whatever order: docs/architecture.md,
 * "From an event to its order", and A2 of docs/assumptions.md.
 */
export function knownOrders(
  bodies: readonly RecordedBody[],
  corrections: readonly Correction[] = [],
): KnownOrders {
  const firsts = new Map(bodies.filter((body) => body.isFirst).map((body) => [body.event.id, body.event]));
  const roleOf = (body: RecordedBody): Role => roleAfter(body, firsts.get(body.event.id));
  const counting = bodies.filter((body) => body.admitted !== undefined || roleOf(body) === 'counts');
  const paidIn = ordersOfTransactions(counting);
  const ordersOf = (event: SignedEvent): readonly string[] => {
    if (event.orderId !== null) return [event.orderId];
    return [...(event.transactionId === null ? [] : (paidIn.get(event.transactionId) ?? []))].sort();
  };
  const placesOf = ({ event, admitted }: RecordedBody): readonly string[] =>
    event.transactionId === null && event.orderId === null && admitted?.orderId != null
      ? [admitted.orderId]
      : ordersOf(event);
  const orders = new Map<string, { events: SignedEvent[]; marks: Mark[] }>();
  const orderOf = (id: string) => {
    const known = orders.get(id) ?? { events: [], marks: [] };
    orders.set(id, known);
    return known;
  };
  for (const body of counting) for (const id of placesOf(body)) orderOf(id).events.push(body.event);
  for (const body of bodies.filter((one) => roleOf(one) === 'marks')) {
    const rivals = [body.event, ...[firsts.get(body.event.id)].filter((event) => event !== undefined)];
    for (const id of rivals.flatMap(ordersOf))
      orderOf(id).marks.push({ attention: 'conflicting_event', about: body.event.id });
  }
  for (const [about, shared] of paidIn)
    if (shared.size > 1)
      for (const id of shared) orderOf(id).marks.push({ attention: 'transaction_in_two_orders', about });
  const uncorrected = (event: SignedEvent): boolean => latestCorrection(corrections, event) % 2 === 0;
  return {
    orders: new Map(
      [...orders].map(([id, { events, marks }]) => [id, { events: events.filter(uncorrected), marks }]),
    ),
    outcomeOf(body) {
      const role = roleOf(body);
      const orderIds = body.isFirst || role !== 'repeats' ? placesOf(body) : [];
      if (!body.isFirst) return { outcome: role === 'repeats' ? 'duplicate' : 'conflict', orderIds };
      const waits = meaningOf(body.event) !== 'history';
      return { outcome: orderIds.length > 0 ? 'applied' : waits ? 'unassigned' : 'recorded', orderIds };
    },
  };
}

/** `repeats` the first body in other bytes · `counts` too · `marks` both orders as in conflict. */
type Role = 'repeats' | 'counts' | 'marks';

function roleAfter({ event, isFirst }: RecordedBody, first: SignedEvent | undefined): Role {
  if (isFirst || first === undefined) return 'counts';
  const namesSameOrder = event.orderId === first.orderId;
  if (namesSameOrder && meaningfulText(event) === meaningfulText(first)) return 'repeats';
  if (!namesSameOrder) return 'marks';
  const isPlaced =
    event.orderId !== null || (event.transactionId !== null && event.transactionId === first.transactionId);
  return isPlaced ? 'counts' : 'marks';
}

/** A2: the orders in which each transaction was paid, or which an operator named for it. */
function ordersOfTransactions(counting: readonly RecordedBody[]): ReadonlyMap<string, Set<string>> {
  const orders = new Map<string, Set<string>>();
  for (const { event, admitted } of counting) {
    const named = event.orderId !== null && meaningOf(event) === 'paid' ? event.orderId : undefined;
    const orderId = event.orderId === null ? admitted?.orderId : named;
    if (event.transactionId !== null && orderId != null)
      orders.set(event.transactionId, (orders.get(event.transactionId) ?? new Set()).add(orderId));
  }
  return orders;
}

function latestCorrection(corrections: readonly Correction[], event: SignedEvent): number {
  const text = meaningfulText(event);
  const ofEvent = corrections.filter((correction) => meaningfulText(correction.event) === text);
  return Math.max(0, ...ofEvent.map(({ n }) => n));
}
