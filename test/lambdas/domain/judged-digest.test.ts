import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fullFact, judgedDigest } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { fact, paid } from '../../doubles/facts.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Written as in docs/architecture.md, without the code under test. */
const resolved = (attention: string, judged: readonly string[], reason = 'checked'): string => {
  const digest = sha256(JSON.stringify([...judged].sort()));
  return JSON.stringify(['resolved', attention, digest, 'ann', '2026-11-22T05:00:00.000Z', reason]);
};

const refund = fact('r', 'refunded', { transactionId: 'U' });
const dispute = fact('d', 'disputed');

describe('a resolution', () => {
  it('has no effect once a judged fact has left', () => {
    const facts = [paid('a'), refund, dispute];
    expect(foldOrder([paid('a'), dispute, resolved('disputed', facts)]).attention).toEqual(['disputed']);
  });

  it('by two operators at once ends the attention once', () => {
    const facts = [paid('a'), dispute];
    const two = [resolved('disputed', facts, 'one'), resolved('disputed', facts, 'two')];
    expect(foldOrder([...facts, ...two]).attention).toEqual([]);
  });

  it.each([
    ['a full order, which later facts cannot reach', 'too_many_events', fullFact],
    ['a fact that nobody can read', 'unreadable_fact', '["settled"]'],
  ])('has no effect on %s', (_, attention, mark) => {
    const facts = [paid('a'), mark];
    expect(foldOrder([...facts, resolved(attention, facts)]).attention).toEqual([attention]);
  });

  it('of an attention that this version does not know has no effect', () => {
    const facts = [paid('a'), dispute];
    expect(foldOrder([...facts, resolved('toString', facts)])).toEqual(foldOrder(facts));
  });
});

describe('judgedDigest', () => {
  it('is the SHA-256 of the JSON array of the facts, sorted, without resolutions and repetitions', () => {
    // printf %s '["[\"full\"]","[\"shared\",\"T\"]"]' | sha256sum
    const digest = '277803e15e49431cf610216f70b307363e2d525255abe8975a079243146778c9';
    const facts = ['["shared","T"]', '["full"]'];
    expect(judgedDigest(facts)).toBe(digest);
    expect(judgedDigest([...facts, ...facts, resolved('disputed', facts)])).toBe(digest);
  });
});
