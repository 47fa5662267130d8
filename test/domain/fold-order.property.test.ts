import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictFact } from '../../lambdas/domain/fact.ts';
import { fact } from '../doubles/facts.ts';
import { fold } from '../doubles/fold.ts';

/** Few ids and amounts, so that many facts collide. */
const anyEventFact = fc
  .record({
    eventId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    action: fc.constantFrom('paid', 'refunded', 'failed', 'disputed'),
    transactionId: fc.constantFrom('T', 'U', null),
    amount: fc.constantFrom('100.00', '100', '60', '40', '0', '-1', 'many', null),
    currency: fc.constantFrom('USD', 'usd', 'EUR', null),
    createdAt: fc.constantFrom('2026-11-21T10:00:00.000000Z', '2026-11-21T10:00:01.000000Z', null),
  })
  .map(({ eventId, action, ...fields }) => fact(eventId, action, fields));
const anyConflict = fc.constantFrom('a', 'b').map((eventId) => conflictFact(eventId, 'ab12'));
const anyFacts = fc.array(fc.oneof(anyEventFact, anyConflict), { maxLength: 12 });
const eventIdOf = (text: string): string => JSON.parse(text)[1];
const uncontested = fc.uniqueArray(anyEventFact, { maxLength: 6, selector: eventIdOf });

/** A failure prints the seed that repeats it. */
function forAll<T>(values: fc.Arbitrary<T>, assertion: (value: T) => void): void {
  // An assertion returns false, which would fail the property.
  const property = fc.property(values, (value) => void assertion(value));
  fc.assert(property, { numRuns: 2_000 });
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

  it('returns a status only if an event reported it', () => {
    forAll(uncontested, (facts) => {
      const has = (action: string): boolean => facts.some((text) => text.includes(`"transaction.${action}"`));
      const expected = {
        pending: !has('paid') && !has('refunded') && !has('failed'),
        failed: has('failed') && !has('paid') && !has('refunded'),
        paid: has('paid') && !has('refunded'),
        partially_refunded: has('paid') && has('refunded'),
        refunded: has('refunded'),
      };
      expect(expected[fold(facts).status]).toBe(true);
    });
  });

  it('lists every event once', () => {
    forAll(anyFacts, (facts) => {
      const ids = facts.filter((text) => text.startsWith('["event.1"')).map(eventIdOf);
      expect(fold(facts).events.map(({ id }) => id)).toEqual([...new Set(ids)].sort());
    });
  });
});
