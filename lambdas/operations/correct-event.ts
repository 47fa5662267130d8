import type { PendingFact, Route } from '../consumer/routes.ts';
import type { Mode } from '../domain/signature.ts';
import type { EventRow } from '../ports/stores.ts';
import type { TransactionRow } from '../ports/transactions.ts';
import { correctionsAmong, correctionsOf } from './corrections.ts';
import type { ReplayParts } from './replay-parts.ts';

export interface ReadEvent {
  readonly mode: Mode;
  readonly eventId: string;
  /** An order that holds a fact of the event, even if nothing of the event points to it. */
  readonly heldBy?: string | undefined;
  /** All rows under the event id, as they were found and as this version reads them. */
  readonly rows: readonly EventRow[];
  /** What its orders get: from its bodies, and from the rows of its transactions. */
  readonly pending: readonly PendingFact[];
  /** The routes of its bodies. */
  readonly routes: readonly Route[];
}

/** A transaction of the event. */
interface OwnTransaction extends TransactionRow {
  readonly id: string;
  /** The facts of the event that its bodies give the transaction, as they are read now. */
  readonly yielded: readonly string[];
}

/** An order, and the facts that it has. */
interface HeldFacts {
  readonly id: string;
  readonly here: readonly string[];
}

/**
 * The corrections for every order that may hold facts of the event. Those of a fact that waits in the row of
 * its transaction go there too, from where they reach each later order together with the fact: also an order
 * that this event has left, in whose row it no longer counts.
 */
export async function correctEvent(
  parts: ReplayParts,
  { mode, eventId, rows, pending, routes, heldBy }: ReadEvent,
): Promise<readonly PendingFact[]> {
  const { transactions, orders } = parts;
  const waiting = routes.filter((route) => route.kind === 'transaction');
  const transactionIds = distinct([...rows, ...waiting].map(({ transactionId }) => transactionId));
  const found = await Promise.all(
    transactionIds.map(async (id): Promise<OwnTransaction> => {
      const here = waiting.filter(({ transactionId }) => transactionId === id);
      return { id, ...(await transactions.get(mode, id)), yielded: here.map(({ fact }) => fact) };
    }),
  );
  const orderIds = distinct([
    heldBy,
    ...rows.flatMap(({ orderId, assignedOrderId, judged }) => [orderId, assignedOrderId, judged?.orderId]),
    ...pending.map(({ orderId }) => orderId),
  ]);
  const factsIn = (ids: readonly string[]): Promise<readonly HeldFacts[]> =>
    Promise.all(ids.map(async (id) => ({ id, here: (await orders.get({ mode, id }))?.facts ?? [] })));
  const held = await factsIn(orderIds);

  function factsFor({ id: orderId, here }: HeldFacts, known: readonly OwnTransaction[]): readonly string[] {
    const inside = known.filter((transaction) => transaction.orderIds.includes(orderId));
    const shared = inside.flatMap(({ facts }) => facts);
    const missing = correctionsAmong(shared).filter((fact) => !here.includes(fact));
    const named = routes.flatMap((route) =>
      route.kind !== 'transaction' && route.orderId === orderId ? [route.fact] : [],
    );
    const counting = new Set([...named, ...inside.flatMap(({ yielded }) => yielded)]);
    const elsewhere = known.flatMap(({ facts }) => correctionsAmong(facts, counting));
    return [
      ...missing,
      ...correctionsOf([...here, ...missing], { eventId, expected: counting, related: [elsewhere] }),
    ];
  }

  async function correctTransaction(transaction: OwnTransaction): Promise<OwnTransaction> {
    const { id: transactionId, facts, yielded } = transaction;
    const inOrders = held.flatMap((order) => [...order.here, ...factsFor(order, found)]);
    const counting = new Set(yielded);
    const related = [correctionsAmong(inOrders, counting)];
    let after: TransactionRow = transaction;
    for (const fact of correctionsOf(facts, { eventId, expected: counting, related }))
      after = await transactions.join({ mode, transactionId, add: { correction: fact } });
    return { ...transaction, ...after };
  }

  const corrected = await Promise.all(found.map(correctTransaction));
  // A payment that joined meanwhile may not have seen the corrections, but only the facts.
  const since = distinct(corrected.flatMap((transaction) => transaction.orderIds));
  const joined = await factsIn(since.filter((id) => !orderIds.includes(id)));
  return [...held, ...joined].flatMap((order) =>
    factsFor(order, corrected).map((fact) => ({ orderId: order.id, fact })),
  );
}

const distinct = (ids: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(ids.filter((id) => id !== undefined)),
];
