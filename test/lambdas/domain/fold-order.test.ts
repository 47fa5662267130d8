import { describe, expect, it } from 'vitest';
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
const partly = 'partially_refunded';

// One case or two of each rule. A second fold, written from the documents, returns the same for random facts:
// tools/simulation/checker/fold.property.test.ts.
describe('foldOrder', () => {
  it.each<[status: string, attention: string, facts: readonly string[]]>([
    ['pending', '', []],
    ['pending', '', [history]],
    ['failed', '', [failed('a')]],
    ['paid', '', [paid('a'), paid('b')]],
    ['paid', '', [paid('a'), paid('b', other), refunded('c', other)]],
    ['refunded', '', [paid('a'), refunded('b', sum('100'))]],
    ['refunded', '', strasse],
    [partly, '', [paid('a'), refunded('b', sum('99.99'))]],
    [partly, '', [paid('a'), paid('b', other), refunded('c', other), refunded('d', sum('40'))]],

    ['refunded', 'refund_without_payment', [refunded('a')]],
    [partly, 'refund_without_payment', [paid('a'), refunded('b', other)]],
    [partly, 'refund_amount_ambiguous', [paid('a'), refunded('b', sum('60')), refunded('c', sum('40'))]],
    [partly, 'refund_amount_ambiguous', [paid('a'), refunded('b', sum(null))]],
    ['refunded', 'refund_exceeds_payment', [paid('a'), refunded('b', sum('100.01'))]],
    [
      'refunded',
      'refund_exceeds_payment',
      [paid('a'), refunded('b', sum('30')), refunded('c'), refunded('d')],
    ],
    ['refunded', 'refund_amount_ambiguous', [paid('a'), refunded('b'), refunded('c', sum('30'))]],
    [partly, 'refund_amount_ambiguous,currency_mixed', [paid('a'), refunded('b', euros)]],
    ['paid', 'payment_amount_unreadable', [paid('a', sum('1e2'))]],
    ['paid', 'payment_amount_ambiguous', [paid('a'), paid('b', sum('90.00'))]],

    ['paid', 'multiple_paid_transactions', [paid('a'), paid('b', other)]],
    ['paid', 'multiple_paid_transactions', [paid('a', noTx), paid('b', noTx)]],
    ['paid', 'multiple_paid_transactions,currency_mixed', [paid('a'), paid('b', { ...other, ...euros })]],
    ['paid', 'conflicting_event', [paid('a'), conflictFact('a', 'ab12')]],
    ['paid', 'transaction_in_two_orders', [paid('a'), sharedFact('T')]],
    ['paid', 'failure_and_payment', [failed('a'), paid('b')]],
    ['paid', 'disputed', [paid('a'), disputed]],
    ['paid', 'too_many_events', [paid('a'), fullFact]],
    ['paid', 'unreadable_fact', [paid('a'), '["settled","b"]']],
  ])('returns the status %s and the attention "%s" for %j', (status, attention, facts) => {
    const expected = attention === '' ? [] : attention.split(',');
    expect(foldOrder(facts)).toMatchObject({ status, attention: expected });
  });
});
