import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attention, attentions } from '../../../lambdas/domain/attention.ts';
import { judgedDigest, resolvedFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder, orderStatuses } from '../../../lambdas/domain/fold-order.ts';
import { anyEventFact, anyKnown, forAll, shuffled } from '../../doubles/any-facts.ts';

/** With resolutions of what some of these facts show. */
const anyFacts = anyKnown.chain((facts) => {
  const resolutions = fc.array(
    fc
      .tuple(fc.constantFrom(...attentions), fc.constantFrom(facts.length, facts.length - 1))
      .map(([attention, seen]) => resolution(attention, facts.slice(0, seen))),
    { maxLength: 3 },
  );
  return resolutions.map((resolved) => [...resolved, ...facts]);
});
const resolution = (attention: Attention, judged: readonly string[]): string =>
  resolvedFact({ attention, judgedSha256: judgedDigest(judged), by: 'ann', at: 'now', reason: 'checked' });
const withId = (eventId: string, text: string): string => {
  const [meaning, , ...fields] = JSON.parse(text);
  return JSON.stringify([meaning, eventId, ...fields]);
};
const stageOf = (facts: readonly string[]): number => orderStatuses.indexOf(foldOrder(facts).status);

describe('foldOrder', () => {
  it('returns one state for every order of arrival', () => {
    forAll(shuffled(anyFacts), ([facts, permuted]) => expect(foldOrder(permuted)).toEqual(foldOrder(facts)));
  });

  it('returns one state for any duplicates of facts', () => {
    const repeated = anyFacts.chain((facts) => fc.tuple(fc.constant(facts), fc.subarray(facts)));
    forAll(repeated, ([facts, again]) =>
      expect(foldOrder([...again, ...facts, ...again])).toEqual(foldOrder(facts)),
    );
  });

  it('of two events under one id counts the one that takes an order further', () => {
    forAll(fc.tuple(anyEventFact, anyEventFact), ([one, two]) => {
      const [left, right] = [withId('x', one), withId('x', two)];
      expect(stageOf([left, right])).toBe(Math.max(stageOf([left]), stageOf([right])));
      expect(foldOrder([left, right]).attention.includes('conflicting_event')).toBe(left !== right);
    });
  });

  it('never takes money or a failure out of an order because of a second event under an id', () => {
    // pending, failed, money
    const stage = (facts: readonly string[]): number => Math.min(stageOf(facts), 2);
    forAll(fc.tuple(anyKnown, anyEventFact, anyEventFact), ([facts, one, two]) => {
      const before = [...facts, withId('x', one)];
      expect(stage([...before, withId('x', two)])).toBeGreaterThanOrEqual(stage(before));
    });
  });
});
