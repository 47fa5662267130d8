import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictFact } from '../../lambdas/domain/fact.ts';
import { foldOrder } from '../../lambdas/domain/fold-order.ts';

/** Few ids, few amounts: collisions are what these properties are about. */
const anyEventFact = fc
  .record({
    eventId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    name: fc.constantFrom('paid', 'refunded', 'failed', 'disputed').map((action) => `transaction.${action}`),
    tx: fc.constantFrom('T', 'U', null),
    amount: fc.constantFrom('100.00', '100', '60', '40', '0', '-1', 'many', null),
    currency: fc.constantFrom('USD', 'usd', 'EUR', null),
    at: fc.constantFrom('2026-11-21T10:00:00.000000Z', '2026-11-21T10:00:01.000000Z', null),
  })
  .map(({ eventId, name, tx, amount, currency, at }) =>
    JSON.stringify(['event.1', eventId, name, tx, amount, currency, at]),
  );
const anyConflict = fc.constantFrom('a', 'b').map((eventId) => conflictFact(eventId, 'ab12'));
const factSet = fc.array(fc.oneof(anyEventFact, anyConflict), { maxLength: 12 });
const uncontested = fc.uniqueArray(anyEventFact, { maxLength: 6, selector: (fact) => JSON.parse(fact)[1] });

/** Runs a property often enough to meet the collisions; a failure prints the seed that repeats it. */
function holds<T>(values: fc.Arbitrary<T>, assertion: (value: T) => void): void {
  const property = fc.property(values, (value) => {
    assertion(value);
  });
  fc.assert(property, { numRuns: 2_000 });
}

describe('foldOrder is a function of the set of facts', () => {
  it('gives one state for every order of arrival', () => {
    const shuffled = factSet.chain((facts) =>
      fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
    );
    holds(shuffled, ([facts, permuted]) => expect(foldOrder(permuted)).toEqual(foldOrder(facts)));
  });

  it('gives one state however often a fact is told', () => {
    const repeated = factSet.chain((facts) => fc.tuple(fc.constant(facts), fc.subarray(facts)));
    holds(repeated, ([facts, again]) =>
      expect(foldOrder([...again, ...facts, ...again])).toEqual(foldOrder(facts)),
    );
  });

  it('does not depend on how the facts were split over merges', () => {
    holds(fc.tuple(factSet, factSet), ([left, right]) =>
      expect(foldOrder(new Set([...left, ...right]))).toEqual(foldOrder([...right, ...left])),
    );
  });

  it('gives a status only to an order that was told of it', () => {
    holds(uncontested, (facts) => {
      const told = (action: string): boolean =>
        facts.some((fact) => fact.includes(`"transaction.${action}"`));
      const expected = {
        pending: !told('paid') && !told('refunded') && !told('failed'),
        failed: told('failed') && !told('paid') && !told('refunded'),
        paid: told('paid') && !told('refunded'),
        partially_refunded: told('paid') && told('refunded'),
        refunded: told('refunded'),
      };
      expect(expected[foldOrder(facts).status]).toBe(true);
    });
  });

  it('lists every event once', () => {
    holds(factSet, (facts) => {
      const told = facts.map((fact) => JSON.parse(fact)).filter(([tag]) => tag === 'event.1');
      expect(foldOrder(facts).events.map(({ id }) => id)).toEqual(
        [...new Set(told.map(([, id]) => id))].sort(),
      );
    });
  });
});
