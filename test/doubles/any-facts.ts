import fc from 'fast-check';
import { conflictFact, fullFact, sharedFact } from '../../lambdas/domain/fact.ts';
import { fact } from './facts.ts';

/** Few ids and amounts, so that many facts collide. */
export const anyEventFact = fc
  .record({
    eventId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    action: fc.constantFrom('paid', 'refunded', 'failed', 'disputed', 'updated'),
    transactionId: fc.constantFrom('T', 'U', null),
    amount: fc.constantFrom('100.00', '100', '60', '40', '0', '-1', '1e2', 'many', null),
    currency: fc.constantFrom('USD', 'usd', 'EUR', null),
    createdAt: fc.constantFrom('2026-11-21T10:00:00.000000Z', '2026-11-21T10:00:01.000000Z', null),
  })
  .map(({ eventId, action, ...fields }) => fact(eventId, action, fields));
export const anyMark = fc.constantFrom(
  conflictFact('a', 'ab12'),
  conflictFact('b', 'ab12'),
  sharedFact('T'),
  fullFact,
  '["settled"]',
);
/** Facts of an order, without resolutions by operators. */
export const anyKnown = fc.array(fc.oneof({ weight: 9, arbitrary: anyEventFact }, anyMark), {
  maxLength: 12,
});

/** The values of another arbitrary, each with all its elements in some order. */
export const shuffled = (lists: fc.Arbitrary<string[]>) =>
  lists.chain((facts) =>
    fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
  );

export function forAll<T>(values: fc.Arbitrary<T>, assertion: (value: T) => void): void {
  // An assertion returns false, which would fail the property.
  const property = fc.property(values, (value) => void assertion(value));
  fc.assert(property, { numRuns: 2_000 });
}
