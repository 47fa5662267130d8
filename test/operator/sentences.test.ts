import { describe, expect, it } from 'vitest';
import { waitingKinds } from '../../lambdas/contract/metrics.ts';
import { attentions, type Reason } from '../../lambdas/domain/attention.ts';
import { attentionSentences, reasonSentence } from '../../operator/sentences/reason-sentences.ts';
import {
  adviceOnNames,
  consequenceOf,
  inOneOrder,
  waitingSentences,
} from '../../operator/sentences/waiting-sentences.ts';

const isSentence = (text: string | undefined): boolean => /^[A-Z][^.]* .*\.$/.test(text ?? '');

it('each entry of attention has a sentence, which its reason has as well', () => {
  expect(attentions.filter((one) => !isSentence(attentionSentences[one]))).toEqual([]);
  expect(attentions.filter((one) => reasonOf(one) !== attentionSentences[one])).toEqual([]);
});

function reasonOf(rule: string, fields: Partial<Reason> = {}): string {
  const nothing = { transaction_id: null, event_ids: ['a'], amount: null, currency: null };
  return reasonSentence({ rule, ...nothing, ...fields } as Reason);
}

describe('the sentence about a reason', () => {
  const [event_ids, money] = [['a', 'b'], { amount: '7.50', currency: 'EUR' }];
  it.each([
    ['payment_counted', {}, 'A payment without an amount counts.'],
    ['payment_counted', money, 'A payment of 7.50 EUR counts.'],
    ['payment_counted', { amount: '7.50' }, 'A payment of 7.50 counts.'],
    ['payment_counted', { ...money, event_ids }, 'A payment of 7.50 EUR counts; 2 events report it.'],
    ['refund_partial', {}, 'A refund without an amount counts as partial.'],
    ['refund_partial', money, 'A refund of 7.50 EUR counts as partial.'],
    [
      'refund_partial',
      { ...money, event_ids },
      '2 refunds count; together they do not certainly return all.',
    ],
    ['rule_of_a_newer_stack', {}, 'rule_of_a_newer_stack'],
  ])('%s, with %j, is %j', (rule, fields, sentence) => {
    expect(reasonOf(rule, fields)).toBe(sentence);
  });

  it.each([
    ['payment_failed', 'failed'],
    ['refund_full', 'all that is known to be paid'],
    ['transaction_returned_in_full', 'returns all of this transaction'],
    ['nothing_decides', 'decides'],
  ])('%s says: %s', (rule, words) => {
    expect(isSentence(reasonOf(rule))).toBe(true);
    expect(reasonOf(rule)).toContain(words);
  });
});

describe('what a judgement of an event that waits does', () => {
  const preview = (
    orders: readonly unknown[],
    ...kinds: readonly ((typeof waitingKinds)[number] | null)[]
  ) => ({
    events: kinds.map((waiting) => ({ before: { waiting } })),
    orders,
  });

  it('each kind of waiting event has its own text for what admitting and dismissing does', () => {
    for (const kind of waitingKinds) {
      const { admit, dismiss, ...others } = waitingSentences[kind];
      expect(consequenceOf('admit', preview(['o-1'], kind))).toBe(admit);
      expect(consequenceOf('dismiss', preview([], null, kind))).toBe(dismiss);
      for (const text of [admit, dismiss]) expect(text).toMatch(/^[a-z].* .*\.$/);
      for (const text of Object.values(others)) expect(text).toMatch(/\w+ \w+/);
    }
  });

  it('is said for an event that does not wait, or of which nothing is known', () => {
    const unknown = { events: [{ before: null }], orders: [] };
    for (const one of [preview([]), preview([], null), unknown]) {
      expect(consequenceOf('admit', one)).toBe('it counts after all.');
      expect(consequenceOf('dismiss', one)).toBe('it no longer waits.');
    }
  });

  it('changes nothing when an order has both bodies of a conflict already, and of a conflict only', () => {
    expect(consequenceOf('admit', preview([], 'conflict'))).toContain('Its order has this body already');
    expect(consequenceOf('admit', preview([], 'unassigned'))).toBe(waitingSentences.unassigned.admit);
    expect(consequenceOf('dismiss', preview([], 'conflict'))).toBe(waitingSentences.conflict.dismiss);
    expect(consequenceOf('admit', preview([], 'unassigned'))).toBe(waitingSentences.unassigned.admit);
  });

  it('has advice for names, and for a conflict within one order', () => {
    expect(isSentence(adviceOnNames)).toBe(true);
    expect(inOneOrder).toContain('its order has both bodies');
  });
});
