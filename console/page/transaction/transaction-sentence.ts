import type { Transaction, TransactionDetail } from '@payhooks/order-client';
import { visibleText } from '../parts/texts.ts';

/** The first line of a transaction: what happened to its money, and in which orders. */
export function transactionSentence({
  orders,
  events_without_order_id: events,
}: Pick<TransactionDetail, 'orders' | 'events_without_order_id'>): string {
  const [first] = orders;
  if (orders.length > 1)
    return `Its events name ${orders.length} orders: find out at the payment service which of them is right.`;
  if (first === undefined)
    return events.length === 1
      ? 'No payment of it is known: its event waits for an order.'
      : `No payment of it is known: its ${events.length} events wait for an order.`;
  const order = visibleText(first.order_id);
  if (first.transaction === null) return `It belongs to ${order}, which holds no event of it yet.`;
  return `${moneyPart(first.transaction)} in ${order}.`;
}

function moneyPart({ status, amount, currency }: Transaction): string {
  const money =
    amount === null ? 'an unknown amount' : visibleText([amount, currency ?? ''].join(' ').trim());
  switch (status) {
    case 'paid':
      return `Paid ${money},`;
    case 'partially_refunded':
      return `Paid ${money}, refunded in part,`;
    case 'refunded':
      return amount === null
        ? 'Refunded, but no payment of it is known,'
        : `Paid ${money}, refunded in full,`;
    case 'failed':
      return `The payment of ${money} failed,`;
    case 'pending':
      return 'No event so far says that money moved,';
  }
}
