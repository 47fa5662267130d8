import { expect, it } from 'vitest';
import { type Change, sentencesAfter, view } from '../../../test/doubles/changed-history.ts';

/** A former version read another order in an event, and a replay has corrected it. */
const readAnew: Change = (history) => {
  history.isReadAnew = true;
  const [delivery] = history.deliveries;
  const meant = { id: 'evt-1', eventName: 'transaction.paid', sandbox: false, createdAt: '' };
  const read = { transactionId: 'T-1', amount: '100.00', currency: 'USD', orderId: 'order-1' };
  if (delivery) delivery.meant = { ...meant, ...read, formerOrderId: 'order-9' };
};
const formerOrder: Change = ({ tables, bus }) => {
  tables.orders.push({ order_key: { S: 'live:order:order-9' }, facts: { SS: ['["event.1","evt-1"]'] } });
  const empty = { order_id: 'order-9', mode: 'live', sequence: 1, previous: null, transactions: [] };
  const current = { status: 'pending', attention: [] };
  const detail = JSON.stringify({ id: 'live order-9 1', ...empty, current, caused_by: [] });
  bus.push({ at: 0, id: 'x', source: 'payhooks', detailType: 'OrderStatusChanged', detail });
};
const ofOrders = (...changes: readonly Change[]): readonly string[] =>
  sentencesAfter(...changes).filter((sentence) => /^(orders|feed)/.test(sentence));

it('an order that only a former version read in an event exists, and holds nothing', () => {
  expect(ofOrders(readAnew, formerOrder)).toEqual([]);
  expect(ofOrders(formerOrder)).toContain(
    'orders: The live order "order-9" exists, and no event that was recorded belongs to it: it was invented.',
  );
  expect(ofOrders(readAnew, formerOrder, ({ bus }) => bus.pop())).toEqual([
    'feed: The live order "order-9": the feed never published it.',
  ]);
});

it('what a former version saw in two orders may stay marked; any other attention is wrong', () => {
  const mark =
    (attention: string): Change =>
    (history) =>
      Object.assign(view(history, 0), { attention: [attention] });
  const wrong = (...changes: readonly Change[]): number =>
    ofOrders(...changes).filter((sentence) => sentence.includes('"order-1" shows')).length;
  expect(wrong(readAnew, mark('transaction_in_two_orders'))).toBe(0);
  expect(wrong(mark('transaction_in_two_orders'))).toBe(1);
  expect(wrong(readAnew, mark('disputed'))).toBe(1);
});
