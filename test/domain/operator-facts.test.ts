import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { conflictFact, fullFact, sharedFact } from '../../lambdas/domain/fact.ts';
import { judgedDigest } from '../../lambdas/domain/judged-digest.ts';
import { fact, paid } from '../doubles/facts.ts';
import { fold } from '../doubles/fold.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Written as in docs/architecture.md, without the code under test. */
const resolved = (attention: string, judged: readonly string[], reason = 'checked'): string => {
  const digest = sha256(JSON.stringify([...judged].sort()));
  return JSON.stringify(['resolved.1', attention, digest, 'ann', '2026-11-22T05:00:00.000Z', reason]);
};
const corrected = (text: string, n: number): string => JSON.stringify(['correction.1', sha256(text), n]);
const refolded = '["refolded.1","r-1"]';

const refund = fact('r', 'refunded', { transactionId: 'U' });
const dispute = fact('d', 'disputed');

describe('a resolution', () => {
  it('ends its attention and no other', () => {
    const facts = [paid('a'), refund, dispute];
    expect(fold(facts).attention).toEqual(['refund_without_payment', 'disputed']);
    expect(fold([...facts, resolved('disputed', facts)])).toEqual({
      ...fold(facts),
      attention: ['refund_without_payment'],
    });
  });

  it.each([
    ['an event without effect', fact('n', 'updated')],
    ['another event of the same kind', fact('d2', 'disputed')],
    ['a mark', sharedFact('T')],
    ['a correction', corrected(refund, 1)],
  ])('of older facts has no effect once %s has arrived', (_, arrived) => {
    const facts = [paid('a'), refund, dispute];
    const after = fold([...facts, arrived, resolved('disputed', facts)]);
    expect(after).toEqual(fold([...facts, arrived]));
    expect(after.attention).toContain('disputed');
  });

  it('stays in effect after other resolutions and after a repeated publication', () => {
    const facts = [paid('a'), refund, dispute];
    const both = [resolved('disputed', facts), resolved('refund_without_payment', facts, 'bank'), refolded];
    expect(fold([...facts, ...both]).attention).toEqual([]);
  });

  it('by two operators at once ends the attention once', () => {
    const facts = [paid('a'), dispute];
    const two = [resolved('disputed', facts, 'one'), resolved('disputed', facts, 'two')];
    expect(fold([...facts, ...two]).attention).toEqual([]);
  });

  it('has no effect on an order whose row is full, which later facts cannot reach', () => {
    const facts = [paid('a'), fullFact];
    expect(fold([...facts, resolved('too_many_events', facts)]).attention).toEqual(['too_many_events']);
  });

  it('of an attention that this version does not know has no effect', () => {
    const facts = [paid('a'), dispute];
    expect(fold([...facts, resolved('toString', facts)])).toEqual(fold(facts));
  });
});

describe('a correction', () => {
  it.each([
    [[1], 'pending'],
    [[1, 2], 'paid'],
    [[3, 1, 2], 'pending'],
    [[2], 'paid'],
    [[9, 10], 'paid'],
  ])('of the only payment with the numbers %j leaves the order %s', (numbers, status) => {
    const corrections = numbers.map((n) => corrected(paid('a'), n));
    expect(fold([paid('a'), ...corrections]).status).toBe(status);
  });

  it('replaces an event by a better reading under the same id, without a conflict', () => {
    const misread = paid('a', { amount: '100' });
    const read = paid('a', { amount: '1.00' });
    expect(fold([misread, read]).attention).toEqual(['conflicting_event']);
    expect(fold([misread, read, corrected(misread, 1)])).toEqual(fold([read]));
  });

  it('leaves the mark of another body under the same id', () => {
    const misread = paid('a', { amount: '100' });
    const facts = [misread, paid('a'), corrected(misread, 1), conflictFact('a', 'ab12')];
    expect(fold(facts).attention).toEqual(['conflicting_event']);
  });

  it('of an event that is the only one of an order leaves an empty order', () => {
    expect(fold([dispute, corrected(dispute, 1)])).toEqual(fold([]));
  });
});

it('a repeated publication changes nothing in the fold', () => {
  expect(fold([paid('a'), dispute, refolded])).toEqual(fold([paid('a'), dispute]));
});

describe('judgedDigest', () => {
  it('is the SHA-256 of the JSON array of the facts, sorted, without resolutions and repetitions', () => {
    // printf %s '["[\"full.1\"]","[\"shared.1\",\"T\"]"]' | sha256sum
    const digest = '95185993f0f69652b4405a8675767903d8d3fb8d6652202d743456c2ae611bbf';
    const facts = ['["shared.1","T"]', '["full.1"]'];
    expect(judgedDigest(facts)).toBe(digest);
    expect(judgedDigest([...facts, ...facts, refolded, resolved('disputed', facts)])).toBe(digest);
  });
});
