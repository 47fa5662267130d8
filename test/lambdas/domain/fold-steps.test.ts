import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conflictFact,
  fullFact,
  judgedDigest,
  resolvedFact,
  sharedFact,
} from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { foldSteps } from '../../../lambdas/domain/fold-steps.ts';
import { anyEventFact, forAll } from '../../doubles/any-facts.ts';
import { fact, paid } from '../../doubles/facts.ts';

const steps = (facts: readonly string[], arrivals = facts) => foldSteps(facts, arrivals);

const anyConflict = fc.constantFrom(conflictFact('a', 'ab12'), conflictFact('b', 'ab12'));
const anyArrivals = fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: anyEventFact }, anyConflict), {
  maxLength: 10,
});

describe('foldSteps', () => {
  it('shows after each arrival the fold of the facts up to it', () => {
    forAll(anyArrivals, (arrivals) => {
      for (const [n, text] of arrivals.entries()) {
        const { status, attention } = foldOrder(arrivals.slice(0, n + 1));
        expect(steps(arrivals).get(text)).toEqual({ status, attention });
      }
    });
  });

  it('counts facts without a known time from the last arrival on', () => {
    const [first, last] = [paid('a'), fact('b', 'updated')];
    const found = steps([first, sharedFact('T'), fullFact, last], [first, last]);
    expect(found.get(first)?.attention).toEqual([]);
    expect(found.get(last)?.attention).toEqual(['transaction_in_two_orders', 'too_many_events']);
  });

  it('shows an attention that an operator resolved later', () => {
    const dispute = fact('a', 'disputed');
    const act = { by: 'ann', at: '2026-11-21T11:00:00.000Z', reason: 'won' };
    const resolved = resolvedFact({ attention: 'disputed', judgedSha256: judgedDigest([dispute]), ...act });
    expect(foldOrder([dispute, resolved]).attention).toEqual([]);
    expect(steps([dispute, resolved], [dispute]).get(dispute)?.attention).toEqual(['disputed']);
  });

  it('shows the state after the newest 100 facts only', () => {
    const facts = Array.from({ length: 130 }, (_, n) => paid(`e-${n}`, { transactionId: `T-${n}` }));
    const found = steps(facts);
    expect([...found.keys()]).toEqual(facts.slice(30));
    expect(found.get(facts[30] ?? '')?.attention).toEqual(['multiple_paid_transactions']);
  });
});
