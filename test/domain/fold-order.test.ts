import { describe, expect, it } from 'vitest';
import { conflictFact } from '../../lambdas/domain/fact.ts';
import { type FactFields, fact, paid } from '../doubles/facts.ts';
import { fold } from '../doubles/fold.ts';

const refunded = (eventId: string, fields?: FactFields) => fact(eventId, 'refunded', fields);
const failed = (eventId: string, fields?: FactFields) => fact(eventId, 'failed', fields);
const disputed = fact('z', 'disputed');
const tx2 = { transactionId: 'U' };
const noTx = { transactionId: null };
const sum = (amount: string | null): FactFields => ({ amount });
const euros = { currency: 'EUR' };

describe('foldOrder', () => {
  it.each([
    ['pending', 'no facts', []],
    ['pending', 'only an event without effect', [disputed]],
    ['failed', 'a failure', [failed('a')]],
    ['failed', 'a failure and an event without effect', [failed('a'), disputed]],
    ['paid', 'a payment', [paid('a')]],
    ['paid', 'two events of one payment', [paid('a'), paid('b')]],
    ['paid', 'two events of one payment with 100.00 and 100', [paid('a'), paid('b', sum('100'))]],
    ['paid', 'a failure and a payment of one transaction', [failed('a'), paid('b')]],
    ['paid', 'a failed and a paid transaction', [failed('a', tx2), paid('b')]],
    ['refunded', 'a payment and its refund', [paid('a'), refunded('b')]],
    ['refunded', 'a refund of 100 for a payment of 100.00', [paid('a'), refunded('b', sum('100'))]],
    ['refunded', 'a refund in a lower-case currency', [paid('a'), refunded('b', { currency: 'usd' })]],
    ['refunded', 'a refund without a currency', [paid('a'), refunded('b', { currency: null })]],
    ['refunded', 'two refunded payments', [paid('a'), paid('b', tx2), refunded('c'), refunded('d', tx2)]],
    ['partially_refunded', 'two payments and one refund', [paid('a'), paid('b', tx2), refunded('c', tx2)]],
    ['partially_refunded', 'a partial refund', [paid('a'), refunded('b', sum('99.99'))]],
    [
      'partially_refunded',
      'partial refunds below the payment',
      [paid('a'), refunded('b', sum('40')), refunded('c', sum('50'))],
    ],
  ])('returns %s without attention for %s', (status, _, facts) => {
    expect(fold(facts)).toMatchObject({ status, attention: [] });
  });

  it.each([
    ['paid', 'two paid transactions', [paid('a'), paid('b', tx2)]],
    ['paid', 'two payments without transaction id', [paid('a', noTx), paid('b', noTx)]],
  ])('returns %s with multiple_paid_transactions for %s', (status, _, facts) => {
    expect(fold(facts)).toMatchObject({ status, attention: ['multiple_paid_transactions'] });
  });

  it.each([
    ['refunded', 'a refund alone', [refunded('a')]],
    ['partially_refunded', 'a refund of another transaction', [paid('a'), refunded('b', tx2)]],
  ])('returns %s with refund_without_payment for %s', (status, _, facts) => {
    expect(fold(facts)).toMatchObject({ status, attention: ['refund_without_payment'] });
  });

  it.each([
    ['partial refunds that add up to the payment', refunded('b', sum('60')), refunded('c', sum('40'))],
    ['partial refunds, one without an amount', refunded('b', sum('40')), refunded('c', sum(null))],
    ['a refund larger than the payment', refunded('b', sum('100.01'))],
    ['a refund larger by less than a float can express', refunded('b', sum('100.000000000000000001'))],
    ['a refund without an amount', refunded('b', sum(null))],
    ['a refund of 0', refunded('b', sum('0'))],
    ['a negative refund', refunded('b', sum('-100.00'))],
    ['a refund with an exponent', refunded('b', sum('1e2'))],
  ])('returns partially_refunded with refund_amount_ambiguous for %s', (_, ...refunds) => {
    const state = { status: 'partially_refunded', attention: ['refund_amount_ambiguous'] };
    expect(fold([paid('a'), ...refunds])).toMatchObject(state);
  });

  it.each([
    ['refund_amount_ambiguous', 'a payment without an amount', [paid('a', sum(null)), refunded('b')]],
    ['payment_amount_ambiguous', 'two amounts of one payment', [paid('a'), paid('b', sum('90.00'))]],
    [
      'multiple_paid_transactions,currency_mixed',
      'payments in two currencies',
      [paid('a'), paid('b', { ...tx2, ...euros })],
    ],
    ['refund_amount_ambiguous,currency_mixed', 'a refund in euros', [paid('a'), refunded('b', euros)]],
    ['conflicting_event', 'a conflicting body', [paid('a'), conflictFact('a', 'ab12')]],
    ['conflicting_event', 'two facts with one event id', [paid('a'), paid('a', sum('1'))]],
  ])('returns %s for %s', (attention, _, facts) => {
    const status = attention.startsWith('refund') ? 'partially_refunded' : 'paid';
    expect(fold(facts)).toMatchObject({ status, attention: attention.split(',') });
  });

  it('compares a refund with the larger of two payment amounts', () => {
    const order = fold([paid('a', sum('90')), paid('b'), refunded('c', sum('90'))]);
    expect(order.status).toBe('partially_refunded');
    expect(order.transactions[0]?.amount).toBe('100.00');
  });

  it('shows the amount and time of the payment, and every event', () => {
    const createdAt = '2026-11-21T10:00:00.000000Z';
    const facts = [
      refunded('b', { amount: '1', createdAt }),
      paid('a', { createdAt }),
      failed('c', sum('7')),
    ];
    const transaction = { id: 'T', amount: '100.00', currency: 'USD', created_at: createdAt };
    expect(fold(facts)).toEqual({
      status: 'partially_refunded',
      attention: [],
      transactions: [{ ...transaction, status: 'partially_refunded' }],
      events: [
        { id: 'a', event_name: 'transaction.paid' },
        { id: 'b', event_name: 'transaction.refunded' },
        { id: 'c', event_name: 'transaction.failed' },
      ],
    });
  });

  it('does not show the amount of a refund as the amount of the transaction', () => {
    expect(fold([refunded('a', sum('40'))]).transactions).toEqual([
      { id: 'T', status: 'refunded', amount: null, currency: 'USD', created_at: null },
    ]);
  });

  it('lists transactions by creation time, those without a time last', () => {
    const order = fold([
      paid('a', { transactionId: 'late', createdAt: '2026-11-21T10:00:01.000000Z' }),
      paid('b', { transactionId: 'early', createdAt: '2026-11-21T10:00:00.000000Z' }),
      paid('c', { transactionId: 'unknown' }),
    ]);
    expect(order.transactions.map(({ id }) => id)).toEqual(['early', 'late', 'unknown']);
  });
});
