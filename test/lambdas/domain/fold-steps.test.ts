import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFacts } from '../../../lambdas/domain/counted-events.ts';
import { judgedDigest, resolvedFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { foldSteps } from '../../../lambdas/domain/fold-steps.ts';
import { anyEventFact, anyKnown, anyMark, forAll } from '../../doubles/any-facts.ts';
import { fact, paid } from '../../doubles/facts.ts';

const steps = (facts: readonly string[], arrivals = facts, stepsMax?: number) =>
  foldSteps(readFacts(facts), arrivals, stepsMax);

/** Of more events and transactions, so that most are older than the newest facts. */
const anySpreadFact = fc
  .tuple(anyEventFact, fc.constantFrom('', 1, 2, 3))
  .map(([text, n]) => text.replaceAll(/"([a-fTU])"/g, `"$1${n}"`));
const anyArrivals = fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: anySpreadFact }, anyMark), {
  maxLength: 24,
});
const anyOthers = fc.oneof(fc.constant([]), anyKnown);

describe('foldSteps', () => {
  it('shows after each of the newest arrivals the fold of what came, after the last one of all facts', () => {
    forAll(
      fc.tuple(anyArrivals, anyOthers, fc.integer({ min: 1, max: 16 })),
      ([arrivals, others, stepsMax]) => {
        const unplaced = others.filter((text) => !arrivals.includes(text));
        const expected = arrivals.map((text, n) => {
          const { status, attention } = foldOrder([
            ...arrivals.slice(0, n + 1),
            ...(n === arrivals.length - 1 ? unplaced : []),
          ]);
          return [text, { status, attention }] as const;
        });
        const found = steps([...unplaced, ...arrivals], arrivals, stepsMax);
        expect([...found]).toEqual(expected.slice(-stepsMax));
      },
    );
  });

  it('shows an attention that an operator resolved later', () => {
    const dispute = fact('a', 'disputed');
    const act = { by: 'ann', at: '2026-11-21T11:00:00.000Z', reason: 'won' };
    const resolved = resolvedFact({ attention: 'disputed', judgedSha256: judgedDigest([dispute]), ...act });
    expect(foldOrder([dispute, resolved]).attention).toEqual([]);
    expect(steps([dispute, resolved], [dispute]).get(dispute)?.attention).toEqual(['disputed']);
  });

  it('shows the state after the newest 100 facts only, with what an older one raised', () => {
    const facts = Array.from({ length: 130 }, (_, n) =>
      paid(`e-${n}`, { transactionId: `T-${n}`, amount: n === 29 ? 'many' : '10.00' }),
    );
    const found = steps(facts);
    expect([...found.keys()]).toEqual(facts.slice(30));
    expect(found.get(facts[30] ?? '')?.attention).toEqual([
      'multiple_paid_transactions',
      'payment_amount_unreadable',
    ]);
  });
});
