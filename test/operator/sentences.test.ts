import { describe, expect, it } from 'vitest';
import { waitingKinds } from '../../lambdas/contract/metrics.ts';
import { attentions, type Reason } from '../../lambdas/domain/attention.ts';
import { attentionSentences, reasonSentence } from '../../operator/sentences/reason-sentences.ts';
import { consequenceOf, waitingSentences } from '../../operator/sentences/waiting-sentences.ts';

const isSentence = (text: string | undefined): boolean => /^[A-Z][^.]* .*\.$/.test(text ?? '');

it('each entry of attention has a sentence, which its reason has as well', () => {
  expect(attentions.filter((one) => !isSentence(attentionSentences[one]))).toEqual([]);
  expect(attentions.filter((one) => reasonOf(one) !== attentionSentences[one])).toEqual([]);
});

function reasonOf(rule: string, fields: Partial<Reason> = {}): string {
  const nothing = { transaction_id: null, event_ids: ['a'], amount: null, currency: null };
  return reasonSentence({ rule, ...nothing, ...fields } as Reason);
}

it.each<[string, Partial<Reason>, string | RegExp]>([
  ['payment_counted', {}, 'A payment without an amount counts.'],
  ['payment_counted', { amount: '7.50' }, 'A payment of 7.50 counts.'],
  ['payment_counted', { amount: '7.50', currency: 'EUR' }, 'A payment of 7.50 EUR counts.'],
  ['payment_counted', { event_ids: ['a', 'b'] }, /counts; 2 events report it\.$/],
  ['refund_partial', { amount: '7.50', currency: 'EUR' }, 'A refund of 7.50 EUR counts as partial.'],
  ['refund_partial', { event_ids: ['a', 'b'] }, /^2 refunds count; /],
  ['payment_failed', {}, /failed/],
  ['refund_full', {}, /all that is known to be paid/],
  ['transaction_returned_in_full', {}, /returns all of this transaction/],
  ['nothing_decides', {}, /decides/],
  ['rule_of_a_newer_stack', {}, 'rule_of_a_newer_stack'],
])('the sentence about the reason %s, with %j, is %s', (rule, fields, sentence) => {
  const text = reasonOf(rule, fields);
  if (typeof sentence === 'string') expect(text).toBe(sentence);
  else expect(text).toMatch(sentence);
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

  it('is nothing when an order has both bodies of a conflict already', () => {
    expect(consequenceOf('admit', preview([], 'conflict'))).toContain('Its order has this body already');
    expect(consequenceOf('admit', preview([], 'unassigned'))).toBe(waitingSentences.unassigned.admit);
  });
});
