import { transactionIdBytesMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import { countEvents } from '../domain/counted-events.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { namedOrders, sharedTexts } from '../domain/transaction-entry.ts';
import type { OrderQueryParts } from './parts.ts';

/** The response of `GET /transactions/{transaction_id}`. */
export interface TransactionDetail {
  readonly transaction_id: string;
  readonly mode: 'live' | 'sandbox';
  /** Those that events about its money name, or that an operator gave it. */
  readonly orders: readonly TransactionOrder[];
  /** They belong to each order in which it was paid, or which an operator gave it; else they wait for one. */
  readonly events_without_order_id: readonly { readonly event_id: string; readonly event_name: string }[];
}

export interface TransactionOrder extends Pick<OrderState, 'status' | 'attention'> {
  readonly order_id: string;
  /** `null` while the order does not hold an event of the transaction. */
  readonly transaction: OrderState['transactions'][number] | null;
}

/** `undefined` for a transaction of which nothing is known. */
export async function readTransaction(
  { transactions, orders }: OrderQueryParts,
  mode: Mode,
  id: string,
): Promise<TransactionDetail | undefined> {
  if (id === '' || !fitsKey(id, transactionIdBytesMax)) return undefined;
  const { entries } = await transactions.getTransaction(mode, id);
  const orderIds = namedOrders(entries);
  const { events } = countEvents(sharedTexts(entries));
  if (orderIds.length === 0 && events.length === 0) return undefined;
  const rows = await orders.getAll(orderIds.map((orderId) => orderKey(mode, orderId)));
  const orderOf = (order_id: string): TransactionOrder => {
    // A consumer joins an order to its transaction before it writes to the order.
    const { facts = [] } = rows.get(orderKey(mode, order_id)) ?? {};
    const { status, attention, transactions: all } = foldOrder(facts);
    return { order_id, status, attention, transaction: all.find((folded) => folded.id === id) ?? null };
  };
  return {
    transaction_id: id,
    mode,
    orders: orderIds.map(orderOf),
    events_without_order_id: events.map((event) => ({
      event_id: event.eventId,
      event_name: event.eventName,
    })),
  };
}
