import type { Order, OrderEventDetail, StateReason, Transaction } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { shownMoney } from '../../console/page/list/shown-money.ts';
import { transactionMoves } from '../../console/page/order/transaction-moves.ts';

const transaction = (more: Partial<Transaction> = {}): Transaction => ({
  ...{ id: 't', status: 'paid', amount: '100.00', currency: 'USD', created_at: null, ...more },
});
const event = (id: string, amount: string | null, transaction_id: string | null = 't') =>
  ({ id, transaction_id, amount, currency: 'USD', received_at: id }) as OrderEventDetail;
const reason = (rule: StateReason['rule'], ...event_ids: string[]) => ({ rule, event_ids }) as StateReason;

describe('the cards of the transactions', () => {
  it('show one payment that two events report once', () => {
    const given = {
      events: [event('a', '100.00'), event('b', '100')],
      reasons: [reason('payment_counted', 'a', 'b')],
    };
    const [card] = transactionMoves([transaction()], given);
    expect(card?.cameIn).toMatchObject([{ amount: '100.00', reports: 2, isOutranked: false, at: 'a' }]);
  });

  it('mark the smaller of two amounts as one that does not count', () => {
    const given = {
      events: [event('a', '90'), event('b', '100.00')],
      reasons: [reason('payment_counted', 'a', 'b')],
    };
    const [card] = transactionMoves([transaction()], given);
    expect(card?.cameIn.map(({ amount, isOutranked }) => [amount, isOutranked])).toEqual([
      ['100.00', false],
      ['90', true],
    ]);
  });

  it('give each transaction without an id its own event', () => {
    const reasons = [
      reason('payment_counted', 'a'),
      reason('payment_counted', 'b'),
      reason('refund_full', 'c'),
    ];
    const events = [event('a', '9.00', null), event('b', '5.00', null), event('c', '5.00', null)];
    const alone = (status: Transaction['status'], amount: string | null) =>
      transaction({ id: null, status, amount });
    const given = [alone('paid', '5.00'), alone('refunded', null), alone('paid', '9.00')];
    const cards = transactionMoves(given, { events, reasons });
    expect(cards.map(({ cameIn, wentBack }) => [cameIn[0]?.amount, wentBack[0]?.amount])).toEqual([
      ['5.00', undefined],
      [undefined, '5.00'],
      ['9.00', undefined],
    ]);
    expect(cards.every(({ cameIn, wentBack }) => cameIn.length + wentBack.length === 1)).toBe(true);
  });
});

describe('the amount of an order in the list', () => {
  const paid = transaction();
  const refunded = transaction({ status: 'refunded', amount: '9.00' });
  it.each<[string, Order['transactions'], string | null, string | null]>([
    ['one payment', [paid], '100.00', 'USD'],
    ['a payment and one that was refunded in full', [refunded, paid], '100.00', 'USD'],
    ['a possible double charge', [paid, paid], '2 × 100.00', 'USD'],
    ['two different payments', [paid, transaction({ amount: '9.00' })], '100.00 USD, 9.00 USD', null],
    [
      'four different payments',
      ['1', '2', '3', '3'].map((amount) => transaction({ amount })),
      '1 USD, 2 USD +1',
      null,
    ],
    [
      'a payment and a refund without one',
      [transaction({ status: 'refunded', amount: null }), paid],
      '100.00',
      'USD',
    ],
    ['a failure', [transaction({ status: 'failed' })], '100.00', 'USD'],
    ['nothing', [], null, null],
  ])('is that of %s', (_, transactions, amount, currency) => {
    expect(shownMoney({ transactions })).toEqual({ amount, currency });
  });
});
