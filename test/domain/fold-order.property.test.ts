import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictFact, fullFact, sharedFact } from '../../lambdas/domain/fact.ts';
import { orderStatuses } from '../../lambdas/domain/fold-order.ts';
import { fact } from '../doubles/facts.ts';
import { fold } from '../doubles/fold.ts';

/** Few ids and amounts, so that many facts collide. */
const anyEventFact = fc
  .record({
    eventId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    action: fc.constantFrom('paid', 'refunded', 'failed', 'disputed', 'updated'),
    transactionId: fc.constantFrom('T', 'U', null),
    amount: fc.constantFrom('100.00', '100', '60', '40', '0', '-1', '1e2', 'many', null),
    currency: fc.constantFrom('USD', 'usd', 'EUR', null),
    createdAt: fc.constantFrom('2026-11-21T10:00:00.000000Z', '2026-11-21T10:00:01.000000Z', null),
  })
  .map(({ eventId, action, ...fields }) => fact(eventId, action, fields));
const anyMark = fc.constantFrom(
  conflictFact('a', 'ab12'),
  conflictFact('b', 'ab12'),
  sharedFact('T'),
  fullFact,
);
const anyFacts = fc.array(fc.oneof({ weight: 9, arbitrary: anyEventFact }, anyMark), { maxLength: 12 });
const eventIdOf = (text: string): string => JSON.parse(text)[1];
const withId = (eventId: string, text: string): string => {
  const [tag, , ...fields] = JSON.parse(text);
  return JSON.stringify([tag, eventId, ...fields]);
};
const stageOf = (facts: readonly string[]): number => orderStatuses.indexOf(fold(facts).status);

/** The same values in every run; a failure prints what repeats it. */
function forAll<T>(values: fc.Arbitrary<T>, assertion: (value: T) => void): void {
  // An assertion returns false, which would fail the property.
  const property = fc.property(values, (value) => void assertion(value));
  fc.assert(property, { numRuns: 2_000, seed: 20_261_121 });
}

describe('foldOrder', () => {
  it('returns one state for every order of arrival', () => {
    const shuffled = anyFacts.chain((facts) =>
      fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
    );
    forAll(shuffled, ([facts, permuted]) => expect(fold(permuted)).toEqual(fold(facts)));
  });

  it('returns one state for any duplicates of facts', () => {
    const repeated = anyFacts.chain((facts) => fc.tuple(fc.constant(facts), fc.subarray(facts)));
    forAll(repeated, ([facts, again]) => expect(fold([...again, ...facts, ...again])).toEqual(fold(facts)));
  });

  it('returns one state for every division of the facts into two writes', () => {
    forAll(fc.tuple(anyFacts, anyFacts), ([left, right]) =>
      expect(fold(new Set([...left, ...right]))).toEqual(fold([...right, ...left])),
    );
  });

  it('of two events under one id counts the one that takes an order further', () => {
    forAll(fc.tuple(anyEventFact, anyEventFact), ([one, two]) => {
      const [left, right] = [withId('x', one), withId('x', two)];
      expect(stageOf([left, right])).toBe(Math.max(stageOf([left]), stageOf([right])));
      expect(fold([left, right]).attention.includes('conflicting_event')).toBe(left !== right);
    });
  });

  it('never takes money or a failure out of an order because of a second event under an id', () => {
    // pending, failed, money
    const stage = (facts: readonly string[]): number => Math.min(stageOf(facts), 2);
    forAll(fc.tuple(anyFacts, anyEventFact, anyEventFact), ([facts, one, two]) => {
      const before = [...facts, withId('x', one)];
      expect(stage([...before, withId('x', two)])).toBeGreaterThanOrEqual(stage(before));
    });
  });

  it('lists every event once', () => {
    forAll(anyFacts, (facts) => {
      const ids = facts.filter((text) => text.startsWith('["event.1"')).map(eventIdOf);
      expect(fold(facts).events.map(({ id }) => id)).toEqual([...new Set(ids)].sort());
    });
  });
});
