import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attentions, statusRules } from '../../../lambdas/domain/attention.ts';
import { conflictFact, eventIdOf, fullFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { reasonsOf } from '../../../lambdas/domain/reasons.ts';
import { anyKnown, forAll, shuffled } from '../../doubles/any-facts.ts';
import { type FactFields, fact, paid } from '../../doubles/facts.ts';

const reasons = (...facts: readonly string[]) => reasonsOf(facts);
const refunded = (id: string, fields?: FactFields) => fact(id, 'refunded', fields);
/** Rule, transaction and events of each reason. */
const named = (facts: readonly string[]): string[] =>
  reasons(...facts).map(({ rule, transaction_id, event_ids }) =>
    [rule, transaction_id ?? '-', ...event_ids].join(' '),
  );

const other = { transactionId: 'U' };
const failed = (id: string, fields?: FactFields) => fact(id, 'failed', fields);
const disputed = (id: string) => fact(id, 'disputed');
/** Each with the reasons of a payment `a` of the transaction T, which counts, and of these. */
const besidePayment: Readonly<Record<string, readonly [facts: readonly string[], ...more: string[]]>> = {
  'no other event': [[]],
  'a fact that cannot be read': [['["settled"]'], 'unreadable_fact -'],
  'a full refund': [[refunded('b')], 'refund_full T b'],
  'a partial refund': [[refunded('b', { amount: '40' })], 'refund_partial T b'],
  'a possible double charge': [
    [paid('b', other), fact('c', 'updated')],
    ...['payment_counted U b', 'multiple_paid_transactions - a b'],
  ],
  'a refund in another currency, and a failure without one': [
    [refunded('b', { currency: 'EUR' }), failed('c', { ...other, currency: null })],
    ...['refund_partial T b', 'payment_failed U c'],
    ...['refund_amount_ambiguous T b', 'currency_mixed - a b'],
  ],
  'a conflict and a dispute': [
    [conflictFact('a', 'ab12'), disputed('b')],
    ...['conflicting_event - a', 'disputed T b'],
  ],
  'a failure of the same transaction': [[failed('f')], 'failure_and_payment T a f'],
  'a failure in one that names another order': [
    [failed('b', other), sharedFact('U'), fullFact],
    ...['payment_failed U b', 'transaction_in_two_orders U b', 'too_many_events -'],
  ],
};

describe('the reasons for the state of an order', () => {
  it.each(Object.entries(besidePayment))('with a payment and %s name their events', (_, [facts, ...more]) => {
    expect(named([paid('a'), ...facts])).toEqual(['payment_counted T a', ...more]);
  });

  it.each([
    ['a failure', [failed('a')], ['payment_failed T a']],
    ['history only', [fact('a', 'updated')], ['nothing_decides -']],
    [
      'a refund without a payment, and a payment',
      [refunded('b'), paid('c', other)],
      ['refund_full T b', 'payment_counted U c', 'refund_without_payment T b'],
    ],
    [
      'an amount that is not readable, and one that is',
      [paid('a'), paid('b', { amount: 'many' })],
      ['payment_counted T a b', 'payment_amount_ambiguous T a b', 'payment_amount_unreadable T b'],
    ],
  ])('of %s name their events', (_, facts, expected) => {
    expect(named(facts)).toEqual(expected);
  });

  it('have the amount that counts, and none when several refunds do', () => {
    expect(reasons(paid('a', { amount: '9' }), paid('b'), refunded('c', { amount: '40' }))).toMatchObject([
      { rule: 'payment_counted', amount: '100.00', currency: 'USD' },
      { rule: 'refund_partial', amount: '40', currency: 'USD' },
      { rule: 'payment_amount_ambiguous', amount: null, currency: null },
    ]);
    const some = { amount: '40', currency: null };
    const [, several] = reasons(paid('a'), refunded('b', some), refunded('c', some));
    expect(several).toMatchObject({ rule: 'refund_partial', amount: null, currency: 'USD' });
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
});
