import { transactionIdBytesMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import { countEvents } from '../domain/counted-events.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import type { OrderRow } from '../ports/stores.ts';
import type { OrderQueryParts } from './parts.ts';

/** The response of `GET /transactions/{transaction_id}`. */
export interface TransactionDetail {
  readonly transaction_id: string;
  readonly mode: 'live' | 'sandbox';
  /** Those in which it was paid. */
  readonly orders: readonly TransactionOrder[];
  /** They belong to every order above; without an order they wait for one. */
  readonly events_without_order_id: readonly { readonly event_id: string; readonly event_name: string }[];
}

export interface TransactionOrder extends Pick<OrderState, 'status' | 'attention'> {
  readonly order_id: string;
  /** `null` while the order does not hold an event of the transaction. */
  readonly transaction: OrderState['transactions'][number] | null;
}

/** `undefined` for a transaction of which nothing is known. */
export async function readTransaction(
  { transactions, orders, meaningOf }: OrderQueryParts,
  mode: Mode,
  id: string,
): Promise<TransactionDetail | undefined> {
  if (id === '' || !fitsKey(id, transactionIdBytesMax)) return undefined;
  const { orderIds, facts } = await transactions.get(mode, id);
  // Not those that a replay has taken out of the transaction.
  const { events } = countEvents(facts, meaningOf);
  if (orderIds.length === 0 && events.length === 0) return undefined;
  const keys = new Map(orderIds.map((orderId) => [orderKey(mode, orderId), orderId]));
  const rows = await orders.getAll([...keys.keys()]);
  const orderOf = ([key, order_id]: readonly [string, string]): TransactionOrder => {
    const { status, attention, transactions: all } = foldOrder(factsOf(rows.get(key)), meaningOf);
    return { order_id, status, attention, transaction: all.find((one) => one.id === id) ?? null };
  };
  return {
    transaction_id: id,
    mode,
    orders: [...keys].toSorted().map(orderOf),
    events_without_order_id: events.map((event) => ({
      event_id: event.eventId,
      event_name: event.eventName,
    })),
  };
}

/** An order is joined to its transaction before its first merge. */
const factsOf = (row: OrderRow | undefined): readonly string[] => row?.facts ?? [];
