import type { PendingFact } from '../consumer/routes.ts';
import type { EventRow } from '../ports/stores.ts';
import { correctionsOf } from './corrections.ts';
import type { ReplayParts } from './replay-parts.ts';

export interface ReadEvent {
  /** All rows under the event id, as they were found and as this version reads them. */
  readonly rows: readonly EventRow[];
  /** What its bodies yield for each order. */
  readonly pending: readonly PendingFact[];
  /** The facts of its bodies, whatever the order. */
  readonly yields: readonly string[];
}

/**
 * The corrections for every order that may hold facts of the event. Those of a fact that waits in the row of
 * its transaction go there too, from where they reach each later order together with the fact.
 */
export async function correctEvent(
  { transactions, orders }: ReplayParts,
  { rows, pending, yields }: ReadEvent,
): Promise<readonly PendingFact[]> {
  const [{ mode, eventId = '' } = { mode: 'live' as const }] = rows;
  const transactionIds = distinct(rows.map(({ transactionId }) => transactionId));
  const joins = await Promise.all(
    transactionIds.map(async (transactionId) => ({
      transactionId,
      ...(await transactions.get(mode, transactionId)),
    })),
  );
  const related = joins.map(({ facts }) => facts);
  for (const { transactionId, facts } of joins) {
    const expected = new Set(yields);
    for (const fact of correctionsOf(facts, { eventId, expected, related: [] })) {
      await transactions.join({ mode, transactionId, add: { fact } });
    }
  }
  const orderIds = distinct([
    ...rows.flatMap(({ orderId, assignedOrderId, judged }) => [orderId, assignedOrderId, judged?.orderId]),
    ...joins.flatMap((join) => join.orderIds),
    ...pending.map(({ orderId }) => orderId),
  ]);
  const corrections = orderIds.map(async (id) => {
    const facts = (await orders.get({ mode, id }))?.facts ?? [];
    const expected = new Set(pending.filter(({ orderId }) => orderId === id).map(({ fact }) => fact));
    return correctionsOf(facts, { eventId, expected, related }).map((fact) => ({ orderId: id, fact }));
  });
  return (await Promise.all(corrections)).flat();
}

const distinct = (ids: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(ids.filter((id) => id !== undefined)),
];
