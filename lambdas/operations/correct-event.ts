import type { PendingFact, Route } from '../consumer/routes.ts';
import { parseFact } from '../domain/fact.ts';
import type { EventRow } from '../ports/stores.ts';
import { correctionsOf } from './corrections.ts';
import type { ReplayParts } from './replay-parts.ts';

export interface ReadEvent {
  /** An order that holds a fact of the event, even if nothing of the event points to it. */
  readonly heldBy?: string | undefined;
  /** All rows under the event id, as they were found and as this version reads them. */
  readonly rows: readonly EventRow[];
  /** What its orders get: from its bodies, and from the rows of its transactions. */
  readonly pending: readonly PendingFact[];
  /** What of that its bodies yield, as they are read now. */
  readonly expected: readonly PendingFact[];
  /** The routes of its bodies. */
  readonly routes: readonly Route[];
}

/**
 * The corrections for every order that may hold facts of the event. Those of a fact that waits in the row of
 * its transaction go there too, from where they reach each later order together with the fact.
 */
export async function correctEvent(
  { transactions, orders }: ReplayParts,
  { rows, pending, expected, routes, heldBy }: ReadEvent,
): Promise<readonly PendingFact[]> {
  const [{ mode, eventId = '' } = { mode: 'live' as const }] = rows;
  const transactionIds = distinct(rows.map(({ transactionId }) => transactionId));
  const joins = await Promise.all(
    transactionIds.map(async (transactionId) => {
      const { orderIds, facts } = await transactions.get(mode, transactionId);
      const here = routes.filter(
        (route) => route.kind === 'transaction' && route.transactionId === transactionId,
      );
      const yielded = new Set(here.map(({ fact }) => fact));
      const corrections = correctionsOf(facts, { eventId, expected: yielded, related: [] });
      for (const fact of corrections) await transactions.join({ mode, transactionId, add: { fact } });
      return { orderIds, facts: [...facts, ...corrections] };
    }),
  );
  const related = joins.map(({ facts }) => facts);
  const orderIds = distinct([
    heldBy,
    ...rows.flatMap(({ orderId, assignedOrderId, judged }) => [orderId, assignedOrderId, judged?.orderId]),
    ...joins.flatMap((join) => join.orderIds),
    ...pending.map(({ orderId }) => orderId),
  ]);
  const found = orderIds.map(async (id) => {
    const ofOrder = (facts: readonly PendingFact[]) =>
      facts.filter(({ orderId }) => orderId === id).map(({ fact }) => fact);
    const held = (await orders.get({ mode, id }))?.facts ?? [];
    const shared = joins.filter((join) => join.orderIds.includes(id)).flatMap(({ facts }) => facts);
    const missing = shared.filter((fact) => parseFact(fact).kind === 'correction' && !held.includes(fact));
    const all = [...held, ...ofOrder(pending), ...missing];
    const corrections = correctionsOf(all, { eventId, expected: new Set(ofOrder(expected)), related });
    return [...missing, ...corrections].map((fact) => ({ orderId: id, fact }));
  });
  return (await Promise.all(found)).flat();
}

const distinct = (ids: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(ids.filter((id) => id !== undefined)),
];
