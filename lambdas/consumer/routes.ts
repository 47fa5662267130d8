import type { MeaningOf } from '../domain/assumptions.ts';
import { conflictFact, sharedFact } from '../domain/fact.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { EventRow } from '../ports/stores.ts';
import type { TransactionWriter } from '../ports/transactions.ts';

/** A fact and where it belongs: in the order that its event names, or in the orders of its transaction. */
export type Route =
  | { readonly kind: 'order'; readonly fact: string; readonly orderId: string }
  | { readonly kind: 'transaction'; readonly fact: string; readonly transactionId: string }
  | {
      readonly kind: 'payment';
      readonly fact: string;
      readonly orderId: string;
      readonly transactionId: string;
    };

/** What a body names, which decides where its fact belongs. */
type Destination = Pick<EventRow, 'orderId' | 'transactionId'>;

/** The route of any fact to the destination of a body; none when the body names neither. */
export function routesTo({ orderId, transactionId }: Destination, fact: string): readonly Route[] {
  if (orderId !== undefined) return [{ kind: 'order', fact, orderId }];
  return transactionId === undefined ? [] : [{ kind: 'transaction', fact, transactionId }];
}

/** The route of an event's own fact. A payment also joins its order to its transaction. */
export function routesOfEvent(row: EventRow, fact: string, meaningOf: MeaningOf): readonly Route[] {
  const { eventName = '', orderId, transactionId } = row;
  const isPayment = meaningOf(eventName) === 'paid';
  if (!isPayment || orderId === undefined || transactionId === undefined) return routesTo(row, fact);
  return [{ kind: 'payment', fact, orderId, transactionId }];
}

/** Whether the facts of two bodies take the same route: to one order, or to the orders of one transaction. */
export function isSameDestination(one: Destination, other: Destination): boolean {
  if (one.orderId !== other.orderId) return false;
  return (
    one.orderId !== undefined ||
    (one.transactionId !== undefined && one.transactionId === other.transactionId)
  );
}

export interface Conflict {
  readonly first: EventRow | undefined;
  /** The row that the event would have, and the routes that its fact would take. */
  readonly row: EventRow;
  readonly routes: readonly Route[];
}

/** What a body yields whose event id another one has taken: its fact, or a mark for both destinations. */
export function routesOfConflict({ first, row, routes }: Conflict): readonly Route[] {
  const { eventId = '', bodySha256 } = row;
  if (first !== undefined && isSameDestination(first, row)) return routes;
  const mark = conflictFact(eventId, bodySha256);
  return [...(first === undefined ? [] : routesTo(first, mark)), ...routesTo(row, mark)];
}

export interface PendingFact {
  readonly orderId: string;
  readonly fact: string;
}

/** What a record has to merge into orders. */
export interface Joined {
  readonly pendingFacts: readonly PendingFact[];
  /** The facts whose events arrived without an order id, and wait for this merge. */
  readonly waitingFacts: readonly string[];
}

/**
 * Joins orders and facts through their transaction's row. Of a payment and an event without an order id, the
 * one that writes the row second sees the other and merges it: every fact of the row belongs in each of its
 * orders. A crash before the merge leaves the message in the queue, and its next receive joins again.
 */
export async function joinTransactions(
  transactions: TransactionWriter,
  mode: AnyMode,
  routes: readonly Route[],
): Promise<Joined> {
  const joined = await Promise.all(routes.map((route) => joinRoute(transactions, mode, route)));
  return {
    pendingFacts: joined.flatMap(({ pendingFacts }) => pendingFacts),
    waitingFacts: joined.flatMap(({ waitingFacts }) => waitingFacts),
  };
}

async function joinRoute(transactions: TransactionWriter, mode: AnyMode, route: Route): Promise<Joined> {
  const { kind, fact } = route;
  if (kind === 'order') return { pendingFacts: [{ orderId: route.orderId, fact }], waitingFacts: [] };
  const { transactionId } = route;
  if (kind === 'transaction') {
    const { orderIds } = await transactions.join({ mode, transactionId, add: { fact } });
    return { pendingFacts: orderIds.map((orderId) => ({ orderId, fact })), waitingFacts: [] };
  }
  const { pendingFacts, waitingFacts } = await joinOrder(transactions, mode, route);
  return { pendingFacts: [{ orderId: route.orderId, fact }, ...pendingFacts], waitingFacts };
}

/** Joins an order to a transaction. */
export async function joinOrder(
  transactions: TransactionWriter,
  mode: AnyMode,
  { orderId, transactionId }: Required<Destination>,
): Promise<Joined> {
  const row = await transactions.join({ mode, transactionId, add: { orderId } });
  const orderIds = [...new Set([orderId, ...row.orderIds])];
  const marks = orderIds.length === 1 ? [] : [sharedFact(transactionId)];
  // An order that a full row has not taken gets the mark alone: later facts do not reach it either.
  const factsFor = (id: string) => (row.orderIds.includes(id) ? [...row.facts, ...marks] : marks);
  const shared = orderIds.flatMap((id) => factsFor(id).map((one) => ({ orderId: id, fact: one })));
  return { pendingFacts: shared, waitingFacts: row.facts };
}
