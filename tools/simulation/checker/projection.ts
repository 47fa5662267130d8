import { factText, isAboutMoney, meaningOf } from './money.ts';
import type { SignedEvent } from './signed-body.ts';

/** The stored body of an event in one mode, as the version read it whose reading is stored. */
export interface ReadBody {
  readonly event: SignedEvent;
  readonly sha256: string;
  /** It has its event id; every other body under the id came later. */
  readonly isFirst: boolean;
  /** An operator let it count, under this order where it names none. */
  readonly admitted?: { readonly orderId: string | null } | undefined;
}

/** What is known of an order: all events that belong to it, and what else was marked. */
export interface KnownOfOrder {
  readonly events: readonly SignedEvent[];
  readonly marks: readonly Mark[];
}

/** What its events do not show, as the row of the order holds it. */
export interface Mark {
  readonly attention: 'conflicting_event' | 'transaction_in_two_orders' | 'too_many_events';
  readonly text: string;
}

/** What everything must be that is stored. */
export type Projection = ReturnType<typeof project>;

/** What the row of an order holds, but for what operators resolved, and that it is full. */
export const textsOf = ({ events, marks }: KnownOfOrder): ReadonlySet<string> =>
  new Set([...events.map(factText), ...marks.map(({ text }) => text)]);

/**
 * What is known of every order and transaction once all these bodies have arrived, in whatever order:
 * docs/architecture.md, "From an event to its order", and A2 of docs/assumptions.md.
 */
export function project(bodies: readonly ReadBody[]) {
  const firsts = new Map(bodies.filter(({ isFirst }) => isFirst).map((body) => [body.event.id, body.event]));
  /** Whether the fact of a body counts: the first of its id, one that belongs there, or one admitted. */
  const counts = ({ event, isFirst, admitted }: ReadBody): boolean =>
    isFirst || admitted !== undefined || belongTogether(event, firsts.get(event.id));
  const counting = bodies.filter(counts);
  const contesting = bodies.filter((body) => !counts(body));
  const { named, joined, entries } = transactionsOf(counting);
  const placesOf = ({ orderId, transactionId }: SignedEvent): readonly string[] => {
    if (orderId !== null) return [orderId];
    return transactionId === null ? [] : [...(joined.get(transactionId) ?? [])];
  };

  /** By id. */
  const orders = new Map<string, { events: SignedEvent[]; marks: Mark[] }>();
  const orderOf = (id: string) => ofKey(orders, id, () => ({ events: [], marks: [] }));
  for (const { event, admitted } of counting) {
    const given = event.orderId === null ? (admitted?.orderId ?? []) : [];
    for (const id of new Set([...placesOf(event), given].flat())) orderOf(id).events.push(event);
  }
  for (const { event, sha256 } of contesting) {
    for (const rival of [event, firsts.get(event.id) ?? event]) {
      const via = rival.orderId === null ? rival.transactionId : null;
      const text = JSON.stringify(['conflict', event.id, sha256, ...(via === null ? [] : [via])]);
      for (const id of placesOf(rival)) orderOf(id).marks.push({ attention: 'conflicting_event', text });
      if (via !== null) ofKey(entries, via, () => new Set()).add(text);
    }
  }
  for (const [transactionId, orderIds] of named) {
    const text = JSON.stringify(['shared', transactionId]);
    if (orderIds.size > 1)
      for (const id of orderIds) orderOf(id).marks.push({ attention: 'transaction_in_two_orders', text });
  }
  const texts = new Map([...orders].map(([id, known]) => [id, textsOf(known)]));
  return {
    ...{ orders, counts },
    /** By id, the texts in the row of a transaction. */
    transactions: entries,
    /** The orders that hold the fact of a body which counts. */
    ordersOf({ event }: ReadBody): readonly string[] {
      if (event.orderId !== null) return [event.orderId];
      const fact = factText(event);
      return [...texts].filter(([, held]) => held.has(fact)).map(([id]) => id);
    },
  };
}

/** Two bodies under one id belong to one order, or to the orders of one transaction. */
function belongTogether(event: SignedEvent, first: SignedEvent | undefined): boolean {
  if (first === undefined || event.orderId !== first.orderId) return false;
  return (
    event.orderId !== null || (event.transactionId !== null && event.transactionId === first.transactionId)
  );
}

/** A2: which orders each transaction names, in which of them it was paid, and what its row holds of that. */
function transactionsOf(counting: readonly ReadBody[]) {
  const named = new Map<string, Set<string>>();
  const joined = new Map<string, Set<string>>();
  const entries = new Map<string, Set<string>>();
  for (const { event, admitted } of counting) {
    const { id, orderId, transactionId } = event;
    if (transactionId === null || (orderId !== null && !isAboutMoney(event))) continue;
    const row = ofKey(entries, transactionId, () => new Set());
    if (orderId === null) row.add(factText(event));
    const given = orderId ?? admitted?.orderId;
    if (given == null) continue;
    const meaning = orderId === null ? 'assigned' : meaningOf(event);
    row.add(JSON.stringify(['order', meaning, id, given]));
    ofKey(named, transactionId, () => new Set()).add(given);
    if (meaning === 'paid' || meaning === 'assigned')
      ofKey(joined, transactionId, () => new Set()).add(given);
  }
  return { named, joined, entries };
}

function ofKey<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key) ?? create();
  map.set(key, known);
  return known;
}
