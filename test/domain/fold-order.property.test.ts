import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attention, attentions } from '../../lambdas/domain/attention.ts';
import {
  conflictFact,
  correctionFact,
  fullFact,
  refoldedFact,
  resolvedFact,
  sharedFact,
} from '../../lambdas/domain/fact.ts';
import { orderStatuses } from '../../lambdas/domain/fold-order.ts';
import { judgedDigest } from '../../lambdas/domain/judged-digest.ts';
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
const anyKnown = fc.array(fc.oneof({ weight: 9, arbitrary: anyEventFact }, anyMark), { maxLength: 12 });
/** With corrections of some, and resolutions of what some of these facts show. */
const anyFacts = anyKnown.chain((facts) => {
  if (facts.length === 0) return fc.constant(facts);
  const corrections = fc.array(
    fc
      .tuple(fc.constantFrom(...facts), fc.integer({ min: 1, max: 3 }))
      .map(([one, n]) => correctionFact(one, n)),
    { maxLength: 3 },
  );
  return corrections.chain((corrected) => {
    const known = [...facts, ...corrected];
    const resolutions = fc.array(
      fc
        .tuple(fc.constantFrom(...attentions), fc.constantFrom(known.length, known.length - 1))
        .map(([attention, seen]) => resolution(attention, known.slice(0, seen))),
      { maxLength: 3 },
    );
    return resolutions.map((resolved) => [...resolved, ...known, refoldedFact('r')]);
  });
});
const resolution = (attention: Attention, judged: readonly string[]): string =>
  resolvedFact({ attention, judgedSha256: judgedDigest(judged), by: 'ann', at: 'now', reason: 'checked' });
const eventIdOf = (text: string): string => JSON.parse(text)[1];
const withId = (eventId: string, text: string): string => {
  const [tag, , ...fields] = JSON.parse(text);
  return JSON.stringify([tag, eventId, ...fields]);
};
const stageOf = (facts: readonly string[]): number => orderStatuses.indexOf(fold(facts).status);

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
    forAll(fc.tuple(anyKnown, anyEventFact, anyEventFact), ([facts, one, two]) => {
      const before = [...facts, withId('x', one)];
      expect(stage([...before, withId('x', two)])).toBeGreaterThanOrEqual(stage(before));
    });
  });

  it('returns the same status, transactions and events with and without resolutions', () => {
    forAll(fc.tuple(anyFacts, fc.subarray([...attentions])), ([facts, names]) => {
      const { attention, ...state } = fold(facts);
      const { attention: left, ...after } = fold([...facts, ...names.map((name) => resolution(name, facts))]);
      expect(after).toEqual(state);
      const stays = (name: Attention): boolean => !names.includes(name) || name === 'too_many_events';
      expect(left).toEqual(attention.filter(stays));
    });
  });

  it('lists a resolved attention again after any new fact that does not end it', () => {
    const anyNew = fc.oneof(anyEventFact, anyMark);
    forAll(fc.tuple(anyKnown, anyNew, fc.constantFrom(...attentions)), ([facts, arrived, name]) => {
      fc.pre(!facts.includes(arrived));
      expect(fold([...facts, resolution(name, facts), arrived])).toEqual(fold([...facts, arrived]));
    });
  });

  it('with an odd correction is the fold without the event, and with an even one that with it', () => {
    forAll(fc.tuple(anyKnown, anyEventFact, fc.integer({ min: 1, max: 9 })), ([facts, one, n]) => {
      const others = facts.filter((text) => text !== one);
      const below = Array.from({ length: n }, (_, index) => correctionFact(one, index + 1));
      expect(fold([...below, ...others, one])).toEqual(fold(n % 2 === 1 ? others : [...others, one]));
    });
  });

  it('lists every event once', () => {
    forAll(anyKnown, (facts) => {
      const ids = facts.filter((text) => text.startsWith('["event.1"')).map(eventIdOf);
      expect(fold(facts).events.map(({ id }) => id)).toEqual([...new Set(ids)].sort());
    });
  });
});
