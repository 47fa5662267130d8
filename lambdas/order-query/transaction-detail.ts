import type * as api from '@payhooks/order-client';
import { transactionIdBytesMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import { countEvents } from '../domain/counted-events.ts';
import { foldOrder } from '../domain/fold-order.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { namedOrders, sharedTexts } from '../domain/transaction-entry.ts';
import type { OrderQueryParts } from './parts.ts';

/** `undefined` for a transaction of which nothing is known. */
export async function readTransaction(
  { transactions, orders }: OrderQueryParts,
  mode: Mode,
  id: string,
): Promise<api.TransactionDetail | undefined> {
  if (id === '' || !fitsKey(id, transactionIdBytesMax)) return undefined;
  const { entries } = await transactions.getTransaction(mode, id);
  const orderIds = namedOrders(entries);
  const { events } = countEvents(sharedTexts(entries));
  if (orderIds.length === 0 && events.length === 0) return undefined;
  const rows = await orders.getAll(orderIds.map((orderId) => orderKey(mode, orderId)));
  const orderOf = (order_id: string): api.TransactionOrder => {
    // A consumer joins an order to its transaction before it writes to the order.
    const { facts = [] } = rows.get(orderKey(mode, order_id)) ?? {};
    const { status, attention, transactions: all } = foldOrder(facts);
    const transaction = all.find((folded) => folded.id === id) ?? null;
    return { order_id, status, attention: [...attention], transaction };
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
