import { describe, expect, it } from 'vitest';
import { conflictFact } from '../../lambdas/domain/fact.ts';
import { foldOrder } from '../../lambdas/domain/fold-order.ts';
import { type FactFields, fact, paid } from '../doubles/facts.ts';

const refunded = (eventId: string, fields?: FactFields) => fact(eventId, 'refunded', fields);
const failed = (eventId: string, fields?: FactFields) => fact(eventId, 'failed', fields);
const disputed = fact('z', 'disputed');
/** Of a second transaction. */
const second = { transactionId: 'U' };
const noId = { transactionId: null };
const amount = (text: string | null): FactFields => ({ amount: text });
const currency = (text: string | null): FactFields => ({ currency: text });

describe('foldOrder', () => {
  it.each([
    ['no facts', [], 'pending'],
    ['only an event without effect', [disputed], 'pending'],
    ['a failure', [failed('a')], 'failed'],
    ['a failure and an event without effect', [failed('a'), disputed], 'failed'],
    ['a payment', [paid('a')], 'paid'],
    ['a failure and a payment of one transaction', [failed('a'), paid('b')], 'paid'],
    ['a failed and a paid transaction', [failed('a', second), paid('b')], 'paid'],
    ['a payment and its refund', [paid('a'), refunded('b')], 'refunded'],
    ['a refund of the same amount in other digits', [paid('a'), refunded('b', amount('100'))], 'refunded'],
    ['a partial refund', [paid('a'), refunded('b', amount('99.99'))], 'partially_refunded'],
    ['only a refund', [refunded('a')], 'refunded'],
    ['two payments and one refund', [paid('a'), paid('b', second), refunded('c')], 'partially_refunded'],
    [
      'two payments and both refunds',
      [paid('a'), paid('b', second), refunded('c'), refunded('d', second)],
      'refunded',
    ],
    [
      'a refund that exceeds the payment by less than a float can hold',
      [paid('a', amount('0.300000000000000000')), refunded('b', amount('0.300000000000000001'))],
      'partially_refunded',
    ],
    [
      'partial refunds that add up to the payment, which is ambiguous',
      [paid('a'), refunded('b', amount('60')), refunded('c', amount('40'))],
      'partially_refunded',
    ],
    [
      'a refund in another currency, which is ambiguous',
      [paid('a'), refunded('b', currency('EUR'))],
      'partially_refunded',
    ],
    [
      'a refund without an amount, which is ambiguous',
      [paid('a'), refunded('b', amount(null))],
      'partially_refunded',
    ],
  ])('returns for %s the status', (_, facts, status) => {
    expect(foldOrder(facts).status).toBe(status);
  });

  it.each([
    ['a payment and its refund', [paid('a'), refunded('b')]],
    ['a partial refund', [paid('a'), refunded('b', amount('40'))]],
    [
      'partial refunds below the payment',
      [paid('a'), refunded('b', amount('40')), refunded('c', amount('50'))],
    ],
    ['two events of one payment', [paid('a'), paid('b')]],
    ['a refunded second payment', [paid('a'), paid('b', second), refunded('c', second)]],
    ['one amount in two notations', [paid('a'), paid('b', amount('100'))]],
    ['a currency in lower case', [paid('a'), refunded('b', currency('usd'))]],
    ['a refund without a currency', [paid('a'), refunded('b', currency(null))]],
  ])('raises no attention for %s', (_, facts) => {
    expect(foldOrder(facts).attention).toEqual([]);
  });

  it.each([
    ['multiple_paid_transactions', 'two paid transactions', [paid('a'), paid('b', second)]],
    ['multiple_paid_transactions', 'two payments without transaction id', [paid('a', noId), paid('b', noId)]],
    ['refund_without_payment', 'a refund alone', [refunded('a')]],
    ['refund_without_payment', 'a refund of another transaction', [paid('a'), refunded('b', second)]],
    [
      'refund_amount_ambiguous',
      'partial refunds that add up to the payment',
      [paid('a'), refunded('b', amount('60')), refunded('c', amount('40'))],
    ],
    [
      'refund_amount_ambiguous',
      'a refund larger than the payment',
      [paid('a'), refunded('b', amount('100.01'))],
    ],
    ['refund_amount_ambiguous', 'a refund without an amount', [paid('a'), refunded('b', amount(null))]],
    [
      'refund_amount_ambiguous',
      'a partial refund and one without an amount',
      [paid('a'), refunded('b', amount('40')), refunded('c', amount(null))],
    ],
    ['refund_amount_ambiguous', 'a refund of 0', [paid('a'), refunded('b', amount('0'))]],
    ['refund_amount_ambiguous', 'a negative refund', [paid('a'), refunded('b', amount('-100.00'))]],
    ['refund_amount_ambiguous', 'a refund with an exponent', [paid('a'), refunded('b', amount('1e2'))]],
    ['refund_amount_ambiguous', 'a payment without an amount', [paid('a', amount(null)), refunded('b')]],
    ['payment_amount_ambiguous', 'two amounts of one payment', [paid('a'), paid('b', amount('90.00'))]],
    [
      'multiple_paid_transactions,currency_mixed',
      'payments in two currencies',
      [paid('a'), paid('b', { ...second, currency: 'EUR' })],
    ],
    [
      'refund_amount_ambiguous,currency_mixed',
      'a refund in another currency',
      [paid('a'), refunded('b', currency('EUR'))],
    ],
    ['conflicting_event', 'a conflicting body', [paid('a'), conflictFact('a', 'ab12')]],
    ['conflicting_event', 'two facts with one event id', [paid('a'), paid('a', amount('1'))]],
  ])('raises %s for %s', (attention, _, facts) => {
    expect(foldOrder(facts).attention).toEqual(attention.split(','));
  });

  it('compares a refund with the larger of two payment amounts', () => {
    const order = foldOrder([paid('a', amount('90')), paid('b'), refunded('c', amount('90'))]);
    expect(order.status).toBe('partially_refunded');
    expect(order.transactions[0]?.amount).toBe('100.00');
  });

  it('shows the amount and time of the payment, and every event', () => {
    const createdAt = '2026-11-21T10:00:00.000000Z';
    const facts = [
      refunded('b', { amount: '1', createdAt }),
      paid('a', { createdAt }),
      failed('c', amount('7')),
    ];
    const transaction = { id: 'T', amount: '100.00', currency: 'USD', created_at: createdAt };
    expect(foldOrder(facts)).toEqual({
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
    expect(foldOrder([refunded('a', amount('40'))]).transactions).toEqual([
      { id: 'T', status: 'refunded', amount: null, currency: 'USD', created_at: null },
    ]);
  });

  it('lists transactions by creation time, those without a time last', () => {
    const order = foldOrder([
      paid('a', { transactionId: 'late', createdAt: '2026-11-21T10:00:01.000000Z' }),
      paid('b', { transactionId: 'early', createdAt: '2026-11-21T10:00:00.000000Z' }),
      paid('c', { transactionId: 'unknown' }),
    ]);
    expect(order.transactions.map(({ id }) => id)).toEqual(['early', 'late', 'unknown']);
  });
});
