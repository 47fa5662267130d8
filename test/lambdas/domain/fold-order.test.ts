import { describe, expect, it } from 'vitest';
import { attentions } from '../../../lambdas/domain/attention.ts';
import { conflictFact, fullFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { type FactFields, fact, paid } from '../../doubles/facts.ts';

const refunded = (eventId: string, fields?: FactFields) => fact(eventId, 'refunded', fields);
const failed = (eventId: string, fields?: FactFields) => fact(eventId, 'failed', fields);
const history = fact('z', 'updated');
const disputed = fact('z', 'disputed');
const other = { transactionId: 'U' };
const noTx = { transactionId: null };
const sum = (amount: string | null): FactFields => ({ amount });
const euros = { currency: 'EUR' };
const strasse = [paid('a', { currency: '\u00df' }), refunded('b', { currency: 'ss' })];
const pennyMore = '100.000000000000000001';
const ambiguous = [paid('a'), paid('b', sum('90'))];

/** Facts by what they are, all with the same result; `attention` lists names. */
const casesOf = (status: string, attention: string, facts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(facts).map(([what, of]) => [status, attention, what, of] as const);

const cases = [
  ...casesOf('pending', '', {
    'no facts': [],
    'only an event without effect': [history],
  }),
  ...casesOf('failed', '', {
    'a failure': [failed('a')],
    'a failure and an event without effect': [failed('a'), history],
  }),
  ...casesOf('paid', '', {
    'a payment': [paid('a')],
    'two events of one payment': [paid('a'), paid('b')],
    'two events of one payment with 100.00 and 100': [paid('a'), paid('b', sum('100'))],
    'a failed and a paid transaction': [failed('a', other), paid('b')],
    'two payments, one refunded in full': [paid('a'), paid('b', other), refunded('c', other)],
  }),
  ...casesOf('refunded', '', {
    'a payment and its refund': [paid('a'), refunded('b')],
    'a refund of 100 for a payment of 100.00': [paid('a'), refunded('b', sum('100'))],
    'a refund in a lower-case currency': [paid('a'), refunded('b', { currency: 'usd' })],
    'a refund in a currency that is equal in upper case alone': strasse,
    'a refund without a currency': [paid('a'), refunded('b', { currency: null })],
    'two refunded payments': [paid('a'), paid('b', other), refunded('c'), refunded('d', other)],
  }),
  ...casesOf('partially_refunded', '', {
    'a partial refund': [paid('a'), refunded('b', sum('99.99'))],
    'partial refunds below the payment': [paid('a'), refunded('b', sum('40')), refunded('c', sum('50'))],
    'two payments, one refunded in full and one in part': [
      ...[paid('a'), paid('b', other), refunded('c', other)],
      refunded('d', sum('40')),
    ],
  }),

  ...casesOf('refunded', 'refund_without_payment', { 'a refund alone': [refunded('a')] }),
  ...casesOf('partially_refunded', 'refund_without_payment', {
    'a refund of another transaction': [paid('a'), refunded('b', other)],
  }),
  ...casesOf('partially_refunded', 'refund_amount_ambiguous', {
    'refunds that add up to the payment': [paid('a'), refunded('b', sum('60')), refunded('c', sum('40'))],
    'refunds, one without an amount': [paid('a'), refunded('b', sum('40')), refunded('c', sum(null))],
    'a refund without an amount': [paid('a'), refunded('b', sum(null))],
    'a refund of 0': [paid('a'), refunded('b', sum('0'))],
    'a negative refund': [paid('a'), refunded('b', sum('-100.00'))],
    'a refund with an exponent': [paid('a'), refunded('b', sum('1e2'))],
  }),
  ...casesOf('refunded', 'refund_exceeds_payment', {
    'one refund, larger than the payment': [paid('a'), refunded('b', sum('100.01'))],
    'a refund larger by less than a float can express': [paid('a'), refunded('b', sum(pennyMore))],
    'two refunds that equal the payment': [paid('a'), refunded('b', sum('100')), refunded('c')],
    'refunds of 100 and 500': [paid('a'), refunded('b'), refunded('c', sum('500'))],
    'refunds of 30 and 500': [paid('a'), refunded('b', sum('30')), refunded('c', sum('500'))],
    'refunds of 30, 100 and 100': [paid('a'), refunded('b', sum('30')), refunded('c'), refunded('d')],
  }),
  ...casesOf('refunded', 'refund_amount_ambiguous', {
    'a full and a partial refund': [paid('a'), refunded('b'), refunded('c', sum('30'))],
    'a full refund and one without an amount': [paid('a'), refunded('b'), refunded('c', sum(null))],
  }),
  ...casesOf('refunded', 'refund_amount_ambiguous,currency_mixed', {
    'a full refund and one in euros': [paid('a'), refunded('b'), refunded('c', { amount: '5', ...euros })],
  }),
  ...casesOf('partially_refunded', 'refund_amount_ambiguous,currency_mixed', {
    'a refund in euros': [paid('a'), refunded('b', euros)],
  }),

  ...casesOf('paid', 'payment_amount_unreadable', {
    'a payment of -5': [paid('a', sum('-5'))],
    'a payment of 0.00': [paid('a', sum('0.00'))],
    'a payment of 1e2': [paid('a', sum('1e2'))],
    'a payment with an empty amount': [paid('a', sum(''))],
    'a payment without an amount': [paid('a', sum(null))],
  }),
  ...casesOf('partially_refunded', 'refund_amount_ambiguous,payment_amount_unreadable', {
    'a refund for an unreadable payment': [paid('a', sum('many')), refunded('b')],
    'a small refund for a payment without an amount': [paid('a', sum(null)), refunded('b', sum('0.01'))],
    'no amounts at all': [paid('a', sum('1e2')), refunded('b', sum(null))],
  }),
  ...casesOf('paid', 'payment_amount_ambiguous', {
    'two amounts of one payment': [paid('a'), paid('b', sum('90.00'))],
  }),
  ...casesOf('paid', 'multiple_paid_transactions,payment_amount_ambiguous', {
    'two amounts of one payment, and one before it': [...ambiguous, paid('c', { transactionId: 'A' })],
    'two amounts of one payment, and one after it': [...ambiguous, paid('c', { transactionId: 'Z' })],
  }),

  ...casesOf('paid', 'multiple_paid_transactions', {
    'two paid transactions': [paid('a'), paid('b', other)],
    'two payments without transaction id': [paid('a', noTx), paid('b', noTx)],
  }),
  ...casesOf('paid', 'multiple_paid_transactions,currency_mixed', {
    'payments in two currencies': [paid('a'), paid('b', { ...other, ...euros })],
  }),
  ...casesOf('paid', 'conflicting_event', {
    'a conflicting body': [paid('a'), conflictFact('a', 'ab12')],
    'two facts with one event id': [paid('a'), paid('a', sum('1'))],
  }),
  ...casesOf('paid', 'transaction_in_two_orders', {
    'a transaction of another order': [paid('a'), sharedFact('T')],
  }),
  ...casesOf('paid', 'failure_and_payment', {
    'a failure and a payment of one transaction': [failed('a'), paid('b')],
  }),
  ...casesOf('paid', 'failure_and_payment,disputed', {
    'a payment that was disputed and failed': [paid('a'), disputed, failed('b')],
  }),
  ...casesOf('paid', 'disputed', {
    'a dispute': [paid('a'), disputed],
    'a chargeback': [paid('a'), fact('z', 'charged_back')],
  }),
  ...casesOf('paid', 'too_many_events', { 'a full order': [paid('a'), fullFact] }),
  ...casesOf('paid', 'unreadable_fact', { 'a fact of a newer version': [paid('a'), '["settled","b"]'] }),
];

// A second fold, written from the documents, returns the same for random facts:
// tools/simulation/checker/fold.property.test.ts.
describe('foldOrder', () => {
  it.each(cases)('returns the status %s and the attention "%s" for %s', (status, attention, _, facts) => {
    const expected = attention === '' ? [] : attention.split(',');
    expect(foldOrder(facts)).toMatchObject({ status, attention: expected });
  });

  it('lists every attention in the order of their names, whatever raised them', () => {
    const facts = [
      disputed,
      fullFact,
      sharedFact('T'),
      refunded('a', { transactionId: 'V' }),
      refunded('b', sum('500')),
      paid('c', { ...other, amount: '0' }),
      paid('d', { ...other, ...euros }),
      paid('e'),
      paid('f', { transactionId: 'W' }),
      failed('h', { transactionId: 'W' }),
      '["settled"]',
      refunded('g', { ...other, amount: null }),
      conflictFact('a', 'ab12'),
    ];
    expect(foldOrder(facts).attention).toEqual(attentions);
  });

  it('shows the amount and time of the payment, and every event with what it says', () => {
    const createdAt = '2026-11-21T10:00:00.000000Z';
    const facts = [
      refunded('b', { amount: '1', createdAt }),
      paid('a', { createdAt }),
      failed('c', sum('7')),
    ];
    const transaction = { id: 'T', amount: '100.00', currency: 'USD', created_at: createdAt };
    const named = { transaction_id: 'T', currency: 'USD' };
    expect(foldOrder(facts)).toEqual({
      status: 'partially_refunded',
      attention: ['failure_and_payment'],
      transactions: [{ ...transaction, status: 'partially_refunded' }],
      events: [
        { id: 'a', event_name: 'transaction.paid', amount: '100.00', ...named },
        { id: 'b', event_name: 'transaction.refunded', amount: '1', ...named },
        { id: 'c', event_name: 'transaction.failed', amount: '7', ...named },
      ],
    });
  });

  it.each([
    ['the larger of two amounts', '100.00', '9'],
    ['a readable amount over one that is not', '9', '1e2'],
    ['the first text of two equal amounts', '100.0', '100.00'],
    ['the first text of two unreadable amounts', '-1', 'many'],
  ])('counts %s under one event id', (_, counted, other) => {
    const facts = [paid('a', sum(counted)), paid('a', sum(other))];
    expect(foldOrder(facts).transactions).toMatchObject([{ amount: counted }]);
    expect(foldOrder(facts.toReversed())).toEqual(foldOrder(facts));
  });

  it('lists any two transactions by creation time, then id, whatever the ids of their events', () => {
    const early = '2026-11-21T10:00:00.000000Z';
    const inOrder: FactFields[] = [
      // A text that is a number is no less a text: nothing is greater than null.
      { transactionId: 'e', createdAt: '1795255200' },
      { transactionId: '7', createdAt: early },
      { transactionId: 'b', createdAt: early },
      { transactionId: 'c', createdAt: early },
      { transactionId: null, createdAt: early },
      { transactionId: 'a', createdAt: '2026-11-21T10:00:01.000000Z' },
      { transactionId: 'd', createdAt: null },
    ];
    for (const [n, first] of inOrder.entries()) {
      for (const second of inOrder.slice(n + 1)) {
        const ids = [first.transactionId, second.transactionId];
        for (const facts of [
          [paid('1', first), paid('2', second)],
          [paid('2', first), paid('1', second)],
        ])
          expect(foldOrder(facts).transactions.map(({ id }) => id)).toEqual(ids);
      }
    }
  });
});
