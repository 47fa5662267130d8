import { describe, expect, it } from 'vitest';
import { conflictFact } from '../../lambdas/domain/fact.ts';
import { foldOrder } from '../../lambdas/domain/fold-order.ts';

interface Told {
  readonly tx?: string | null;
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly at?: string | null;
}

/** Written out by hand, so that the expectation does not come from the code under test. */
const fact = (
  eventId: string,
  name: string,
  { tx = 'T', amount = '100.00', currency = 'USD', at = null }: Told = {},
) => JSON.stringify(['event.1', eventId, name, tx, amount, currency, at]);
const paid = (eventId: string, told?: Told) => fact(eventId, 'transaction.paid', told);
const refunded = (eventId: string, told?: Told) => fact(eventId, 'transaction.refunded', told);
const failed = (eventId: string, told?: Told) => fact(eventId, 'transaction.failed', told);
const unknown = (eventId: string, told?: Told) => fact(eventId, 'transaction.disputed', told);

describe('foldOrder: the status', () => {
  it.each([
    ['no facts', [], 'pending'],
    ['an unknown event alone', [unknown('a')], 'pending'],
    ['a failure', [failed('a')], 'failed'],
    ['a failure and an unknown event', [failed('a'), unknown('b')], 'failed'],
    ['a payment', [paid('a')], 'paid'],
    ['a failure and a payment of one transaction', [failed('a'), paid('b')], 'paid'],
    ['a failure and a payment of two transactions', [failed('a', { tx: 'F' }), paid('b')], 'paid'],
    ['a payment and its refund', [paid('a'), refunded('b')], 'refunded'],
    ['a refund written with other digits', [paid('a'), refunded('b', { amount: '100' })], 'refunded'],
    ['a refund of a part', [paid('a'), refunded('b', { amount: '99.99' })], 'partially_refunded'],
    ['a refund that came alone', [refunded('a')], 'refunded'],
    [
      'one of two payments refunded',
      [paid('a'), paid('b', { tx: 'U' }), refunded('c')],
      'partially_refunded',
    ],
    [
      'both payments refunded',
      [paid('a'), paid('b', { tx: 'U' }), refunded('c'), refunded('d', { tx: 'U' })],
      'refunded',
    ],
  ])('of %s', (_, facts, status) => {
    expect(foldOrder(facts).status).toBe(status);
  });

  it('compares amounts as decimals and not as floats', () => {
    const order = foldOrder([
      paid('a', { amount: '0.300000000000000000' }),
      refunded('b', { amount: '0.300000000000000001' }),
    ]);
    expect(order.status).toBe('partially_refunded');
  });
});

describe('foldOrder: attention', () => {
  it.each([
    ['nothing for a payment and its refund', [paid('a'), refunded('b')], []],
    ['nothing for a part refunded', [paid('a'), refunded('b', { amount: '40' })], []],
    [
      'nothing for two parts below the payment',
      [paid('a'), refunded('b', { amount: '40' }), refunded('c', { amount: '50' })],
      [],
    ],
    ['nothing for two events of one payment', [paid('a'), paid('b')], []],
    ['two payments', [paid('a'), paid('b', { tx: 'U' })], ['multiple_paid_transactions']],
    [
      'nothing once the second payment went back',
      [paid('a'), paid('b', { tx: 'U' }), refunded('c', { tx: 'U' })],
      [],
    ],
    [
      'two payments without a transaction id',
      [paid('a', { tx: null }), paid('b', { tx: null })],
      ['multiple_paid_transactions'],
    ],
    ['a refund without payment', [refunded('a')], ['refund_without_payment']],
    ['a refund of another transaction', [paid('a'), refunded('b', { tx: 'U' })], ['refund_without_payment']],
    [
      'parts whose sum reaches the payment',
      [paid('a'), refunded('b', { amount: '60' }), refunded('c', { amount: '40' })],
      ['refund_amount_ambiguous'],
    ],
    [
      'a refund above the payment',
      [paid('a'), refunded('b', { amount: '100.01' })],
      ['refund_amount_ambiguous'],
    ],
    ['a refund without an amount', [paid('a'), refunded('b', { amount: null })], ['refund_amount_ambiguous']],
    [
      'a refund without an amount beside a part',
      [paid('a'), refunded('b', { amount: '40' }), refunded('c', { amount: null })],
      ['refund_amount_ambiguous'],
    ],
    ['a refund of nothing', [paid('a'), refunded('b', { amount: '0' })], ['refund_amount_ambiguous']],
    [
      'a refund below nothing',
      [paid('a'), refunded('b', { amount: '-100.00' })],
      ['refund_amount_ambiguous'],
    ],
    ['a refund with an exponent', [paid('a'), refunded('b', { amount: '1e2' })], ['refund_amount_ambiguous']],
    [
      'a refund of a payment without amount',
      [paid('a', { amount: null }), refunded('b')],
      ['refund_amount_ambiguous'],
    ],
    [
      'two amounts for one payment',
      [paid('a'), paid('b', { amount: '90.00' })],
      ['payment_amount_ambiguous'],
    ],
    ['nothing for one amount written twice', [paid('a'), paid('b', { amount: '100' })], []],
    [
      'two currencies',
      [paid('a'), paid('b', { tx: 'U', currency: 'EUR' })],
      ['multiple_paid_transactions', 'currency_mixed'],
    ],
    [
      'a refund in another currency',
      [paid('a'), refunded('b', { currency: 'EUR' })],
      ['refund_amount_ambiguous', 'currency_mixed'],
    ],
    ['nothing for a currency in lower case', [paid('a'), refunded('b', { currency: 'usd' })], []],
    ['nothing for a refund without currency', [paid('a'), refunded('b', { currency: null })], []],
    ['a conflicting body', [paid('a'), conflictFact('a', 'ab12')], ['conflicting_event']],
    ['two facts under one id', [paid('a'), paid('a', { amount: '1' })], ['conflicting_event']],
  ])('%s', (_, facts, attention) => {
    expect(foldOrder(facts).attention).toEqual(attention);
  });

  it.each([
    [[paid('a'), refunded('b', { amount: '60' }), refunded('c', { amount: '40' })]],
    [[paid('a'), refunded('b', { currency: 'EUR' })]],
    [[paid('a'), refunded('b', { amount: null })]],
  ])('never calls an order refunded on an ambiguous amount', (facts) => {
    expect(foldOrder(facts).status).toBe('partially_refunded');
  });

  it('measures a refund against the larger of two payment amounts', () => {
    const order = foldOrder([paid('a', { amount: '90' }), paid('b'), refunded('c', { amount: '90' })]);
    expect(order.status).toBe('partially_refunded');
    expect(order.transactions[0]?.amount).toBe('100.00');
  });
});

describe('foldOrder: what it shows', () => {
  it('shows a transaction as its payment told it', () => {
    const at = '2026-11-21T10:00:00.000000Z';
    expect(
      foldOrder([refunded('b', { amount: '1', at }), paid('a', { at }), failed('c', { amount: '7' })]),
    ).toEqual({
      status: 'partially_refunded',
      attention: [],
      transactions: [
        { id: 'T', status: 'partially_refunded', amount: '100.00', currency: 'USD', created_at: at },
      ],
      events: [
        { id: 'a', event_name: 'transaction.paid' },
        { id: 'b', event_name: 'transaction.refunded' },
        { id: 'c', event_name: 'transaction.failed' },
      ],
    });
  });

  it("never shows a refund's amount as the transaction's", () => {
    expect(foldOrder([refunded('a', { amount: '40' })]).transactions).toEqual([
      { id: 'T', status: 'refunded', amount: null, currency: 'USD', created_at: null },
    ]);
  });

  it('orders transactions by creation, those without a time last', () => {
    const order = foldOrder([
      paid('a', { tx: 'late', at: '2026-11-21T10:00:01.000000Z' }),
      paid('b', { tx: 'early', at: '2026-11-21T10:00:00.000000Z' }),
      paid('c', { tx: 'unknown' }),
    ]);
    expect(order.transactions.map(({ id }) => id)).toEqual(['early', 'late', 'unknown']);
  });
});
