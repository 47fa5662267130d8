import type { Order, OrderEvents, Transaction, TransactionDetail } from '@payhooks/order-client';
import { moneyText, transactionText } from '../../contract/texts.ts';
import { capitalised, counted, visibleText } from '../parts/texts.ts';

/** What happened to the money of a transaction. */
const sentenceOf = (transaction: Transaction): string => visibleText(transactionText(transaction));

const textsMax = 5;

/** The first line of an order: what happened to the money, what contradicts that, and what waits. */
export function moneySentence(
  { transactions, attention }: Pick<Order, 'attention' | 'transactions'>,
  details?: Pick<OrderEvents, 'events' | 'waiting' | 'waiting_complete'>,
): string {
  const moved = transactions.filter(({ status }) => status !== 'failed' && status !== 'pending');
  const texts = (moved.length > 0 ? moved : transactions).map(sentenceOf);
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) =>
    length === 1 ? text : `${length} × ${text}`,
  );
  const more =
    counts.length > textsMax ? [`and more: ${counted(transactions.length, 'transaction')} in all`] : [];
  const money = counts.length === 0 ? ['No payment so far'] : [...counts.slice(0, textsMax), ...more];
  return [`${capitalised(money.join('; '))}.`, ...contradictions(details), ...waits(details, attention)].join(
    ' ',
  );
}

/** The money in bodies that do not count. */
function contradictions(details: Pick<OrderEvents, 'events'> | undefined): readonly string[] {
  const others = (details?.events ?? []).flatMap((event) => event.others ?? []);
  const sums = new Set(others.flatMap((body) => moneyText(body) ?? []));
  if (sums.size === 0) return [];
  return [visibleText(`A different version of an event has ${[...sums].join(' or ')}.`)];
}

/** "Nothing waits" would sound like "all is well" after a doubt. */
function waits(
  details: Pick<OrderEvents, 'waiting' | 'waiting_complete'> | undefined,
  attention: Order['attention'],
): readonly string[] {
  // Until the details are read, nobody knows what waits.
  if (details === undefined) return [];
  const count = details.waiting.length;
  const found = count === 0 ? [] : [`${counted(count, 'event waits', 'events wait')} for a person.`];
  if (details.waiting_complete === false)
    return [...found, 'More events wait than could be searched for this order.'];
  return count === 0 && attention.length === 0 ? ['Nothing waits.'] : found;
}

/** The first line of a transaction: what happened to its money, and in which orders. */
export function transactionSentence({
  orders,
  events_without_order_id: events,
}: Pick<TransactionDetail, 'orders' | 'events_without_order_id'>): string {
  const [first] = orders;
  if (orders.length > 1)
    return `Its events name ${orders.length} orders: find out at the payment service which of them is right.`;
  if (first === undefined)
    return `No payment of it is known: ${counted(events.length, 'event waits', 'events wait')} for an order.`;
  const order = visibleText(first.order_id);
  if (first.transaction === null) return `It belongs to ${order}, which holds no event of it yet.`;
  return `${capitalised(sentenceOf(first.transaction))}, in ${order}.`;
}
