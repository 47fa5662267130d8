import type { OrderChange, OrderSnapshot, Transaction } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { diffOf } from '../../console/page/acts/money-diff.ts';

const transaction = (fields: Partial<Transaction>): Transaction => ({
  ...{ id: 'T', status: 'paid', amount: '100.00', currency: 'USD', created_at: null },
  ...fields,
});
const snapshot = (fields: Partial<OrderSnapshot>): OrderSnapshot => ({
  ...{ status: 'paid', attention: [], transactions: [transaction({})], sequence: 1 },
  ...fields,
});
const diff = (before: OrderSnapshot | null, after: OrderSnapshot) =>
  diffOf({ order_id: 'order-1', before, after } satisfies OrderChange);

describe('diffOf', () => {
  it('shows the transaction whose status changes, and the status of the order before and after', () => {
    const after = snapshot({ status: 'refunded', transactions: [transaction({ status: 'refunded' })] });
    expect(diff(snapshot({}), after)).toEqual({
      ...{ orderId: 'order-1', before: 'paid', after: 'refunded', raised: [], ended: [] },
      transactions: [
        {
          id: 'T',
          before: { status: 'paid', amount: '100.00', currency: 'USD' },
          after: { status: 'refunded', amount: '100.00', currency: 'USD' },
        },
      ],
      isHistoryOnly: false,
    });
  });

  it('shows a new order with all of its transactions', () => {
    const { before, transactions } = diff(null, snapshot({}));
    expect([before, transactions.map(({ id, before: was }) => [id, was])]).toEqual([null, [['T', null]]]);
  });

  it('leaves out the transactions that stay', () => {
    const other = transaction({ id: 'U', amount: '45.00' });
    const { transactions } = diff(snapshot({}), snapshot({ transactions: [transaction({}), other] }));
    expect(transactions).toEqual([
      { id: 'U', before: null, after: { status: 'paid', amount: '45.00', currency: 'USD' } },
    ]);
  });

  it('shows a changed amount although the status stays', () => {
    const { transactions, isHistoryOnly } = diff(
      snapshot({}),
      snapshot({ transactions: [transaction({ amount: '120.00' })] }),
    );
    expect(transactions.map((one) => [one.before?.amount, one.after?.amount])).toEqual([
      ['100.00', '120.00'],
    ]);
    expect(isHistoryOnly).toBe(false);
  });

  it('turns no transaction without an id into another one, wherever a new one is listed', () => {
    const [first, second] = [transaction({ id: null }), transaction({ id: null, amount: '5.00' })];
    const five = { status: 'paid', amount: '5.00', currency: 'USD' };
    const added = diff(snapshot({ transactions: [first] }), snapshot({ transactions: [second, first] }));
    expect(added.transactions).toEqual([{ id: null, before: null, after: five }]);
    const removed = diff(snapshot({ transactions: [second, first] }), snapshot({ transactions: [first] }));
    expect(removed.transactions).toEqual([{ id: null, before: five, after: null }]);
    const twice = diff(snapshot({ transactions: [second] }), snapshot({ transactions: [second, second] }));
    expect(twice.transactions).toEqual([{ id: null, before: null, after: five }]);
  });

  it('separates the attention that begins from the attention that ends', () => {
    const before = snapshot({ attention: ['disputed', 'currency_mixed'] });
    const after = snapshot({ attention: ['currency_mixed', 'conflicting_event'] });
    expect(diff(before, after)).toMatchObject({
      ...{ raised: ['conflicting_event'], ended: ['disputed'], isHistoryOnly: false },
    });
  });

  it('recognises a change that only the history shows', () => {
    expect(diff(snapshot({}), snapshot({ sequence: 2 }))).toMatchObject({
      ...{ transactions: [], raised: [], ended: [], isHistoryOnly: true },
    });
  });
});
