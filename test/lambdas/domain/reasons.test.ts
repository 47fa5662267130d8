import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attentions } from '../../../lambdas/domain/attention.ts';
import { conflictFact, eventIdOf, fullFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { reasonRules, statusRules } from '../../../lambdas/domain/reason.ts';
import { reasonsOf } from '../../../lambdas/domain/reasons.ts';
import { reasonSentence } from '../../../operator/sentences/reason-sentences.ts';
import { anyKnown, forAll, shuffled } from '../../doubles/any-facts.ts';
import { type FactFields, fact, paid } from '../../doubles/facts.ts';

const reasons = (...facts: readonly string[]) => reasonsOf(facts);
const refunded = (id: string, fields?: FactFields) => fact(id, 'refunded', fields);
/** Rule, transaction and events of each reason. */
const named = (...facts: readonly string[]) =>
  reasons(...facts).map(({ rule, transaction_id, event_ids }) =>
    [rule, transaction_id ?? '-', ...event_ids].join(' '),
  );

describe('the reasons for the state of an order', () => {
  const other = { transactionId: 'U' };
  it.each([
    ['a payment', [paid('a')], ['payment_counted T a']],
    ['a payment that two events report', [paid('a'), paid('b')], ['payment_counted T a b']],
    ['a failure', [fact('a', 'failed')], ['payment_failed T a']],
    ['history only', [fact('a', 'updated')], ['nothing_decides -']],
    ['a full refund', [paid('a'), refunded('b')], ['payment_counted T a', 'refund_full T b']],
    [
      'a partial refund',
      [paid('a'), refunded('b', { amount: '40' })],
      ['payment_counted T a', 'refund_partial T b'],
    ],
    [
      'a refund of one of two payments',
      [paid('a'), refunded('b'), paid('c', other)],
      ['payment_counted T a', 'transaction_returned_in_full T b', 'payment_counted U c'],
    ],
    [
      'a refund without a payment, and a payment',
      [refunded('b'), paid('c', other)],
      ['refund_full T b', 'payment_counted U c', 'refund_without_payment T b'],
    ],
    [
      'a possible double charge',
      [paid('a'), paid('b', other), fact('c', 'updated')],
      ['payment_counted T a', 'payment_counted U b', 'multiple_paid_transactions - a b'],
    ],
    [
      'a payment that arrived before one of another transaction, whose name sorts first',
      [paid('b', other), paid('a', { transactionId: 'V' })],
      ['payment_counted U b', 'payment_counted V a', 'multiple_paid_transactions - a b'],
    ],
    [
      'a double charge, a failure and a charge that was returned',
      [paid('a'), paid('b', other), fact('f', 'failed', { transactionId: 'V' })].concat([
        paid('c', { transactionId: 'W' }),
        refunded('r', { transactionId: 'W' }),
      ]),
      [
        'payment_counted T a',
        'payment_counted U b',
        'payment_failed V f',
        'payment_counted W c',
        'transaction_returned_in_full W r',
        'multiple_paid_transactions - a b',
      ],
    ],
    [
      'two currencies, one of them of a refund, and a failure without one',
      [paid('a'), refunded('b', { currency: 'EUR' }), fact('c', 'failed', { ...other, currency: null })],
      [
        'payment_counted T a',
        'refund_partial T b',
        'payment_failed U c',
        'refund_amount_ambiguous T b',
        'currency_mixed - a b',
      ],
    ],
    [
      'two currencies, one of them of a failure',
      [paid('a'), fact('b', 'failed', { ...other, currency: 'EUR' })],
      ['payment_counted T a', 'payment_failed U b', 'currency_mixed - a b'],
    ],
    [
      'a conflict and a dispute',
      [paid('a'), conflictFact('a', 'ab12'), fact('b', 'disputed')],
      ['payment_counted T a', 'conflicting_event - a', 'disputed T b'],
    ],
    [
      'a failure and a payment of one transaction',
      [fact('f', 'failed'), paid('a'), paid('b', other)],
      [
        'payment_counted T a',
        'payment_counted U b',
        'multiple_paid_transactions - a b',
        'failure_and_payment T a f',
      ],
    ],
    ['a fact that cannot be read', [paid('a'), '["settled"]'], ['payment_counted T a', 'unreadable_fact -']],
    [
      'a transaction that names another order',
      [paid('a'), fact('b', 'disputed'), fact('c', 'updated'), sharedFact('T')],
      ['payment_counted T a', 'transaction_in_two_orders T a b', 'disputed T b'],
    ],
    [
      'two transactions, the second of which names another order',
      [paid('a'), fact('b', 'failed', other), sharedFact('U'), fullFact],
      ['payment_counted T a', 'payment_failed U b', 'transaction_in_two_orders U b', 'too_many_events -'],
    ],
    [
      'a transaction that names another order and has no event in this one',
      [paid('a'), sharedFact('V')],
      ['payment_counted T a', 'transaction_in_two_orders V'],
    ],
    [
      'an amount that is not readable, and one that is',
      [paid('a'), paid('b', { amount: 'many' })],
      ['payment_counted T a b', 'payment_amount_ambiguous T a b', 'payment_amount_unreadable T b'],
    ],
  ])('of %s name their events', (_, facts, expected) => {
    expect(named(...facts)).toEqual(expected);
  });

  it('have the amount that counts', () => {
    expect(reasons(paid('a', { amount: '9' }), paid('b'), refunded('c', { amount: '40' }))).toMatchObject([
      { rule: 'payment_counted', amount: '100.00', currency: 'USD' },
      { rule: 'refund_partial', amount: '40', currency: 'USD' },
      { rule: 'payment_amount_ambiguous', amount: null, currency: null },
    ]);
  });

  it('have no amount when several refunds count, and the currency of the transaction', () => {
    const some = { amount: '40', currency: null };
    const returned = { rule: 'refund_partial', currency: 'USD' };
    expect(reasons(paid('a'), refunded('b', some))[1]).toMatchObject({ ...returned, amount: '40' });
    const [, several] = reasons(paid('a'), refunded('b', some), refunded('c', some));
    expect(several).toMatchObject({ ...returned, amount: null });
  });

  it('are the same for every order of arrival', () => {
    forAll(shuffled(anyKnown), ([facts, permuted]) =>
      expect(reasons(...permuted)).toEqual(reasons(...facts)),
    );
  });

  it('explain the status and exactly the attentions that are listed', () => {
    forAll(anyKnown, (facts) => {
      const rules = new Set(reasons(...facts).map(({ rule }) => rule));
      expect(attentions.filter((name) => rules.has(name))).toEqual(foldOrder(facts).attention);
      expect(statusRules.some((rule) => rules.has(rule))).toBe(true);
    });
  });

  it('leave out only events without which status and attention are the same', () => {
    forAll(
      anyKnown.chain((facts) => fc.tuple(fc.constant(facts), fc.subarray(facts))),
      ([facts, some]) => {
        const kept = new Set(reasons(...facts).flatMap(({ event_ids }) => event_ids));
        const dropped = new Set(some.map(eventIdOf).filter((id) => id !== undefined && !kept.has(id)));
        const { status, attention } = foldOrder(facts);
        expect(foldOrder(facts.filter((text) => !dropped.has(eventIdOf(text))))).toMatchObject({
          status,
          attention,
        });
      },
    );
  });

  it('each have a sentence, which names the amount', () => {
    const sentences = reasonRules.map((rule) =>
      reasonSentence({ rule, transaction_id: 'T', event_ids: ['a'], amount: '45.00', currency: 'USD' }),
    );
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].{10,120}\.$/);
    expect(new Set(sentences).size).toBe(reasonRules.length);
    expect(sentences[0]).toBe('A payment of 45.00 USD counts.');
  });
});
