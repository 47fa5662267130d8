import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictFact, fullFact, resolvedFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { foldSteps } from '../../../lambdas/domain/fold-steps.ts';
import { judgedDigest } from '../../../lambdas/domain/judged-digest.ts';
import { fact, paid } from '../../doubles/facts.ts';

const steps = (facts: readonly string[], arrivals = facts) => foldSteps(facts, arrivals);
const statusesOf = (facts: readonly string[]) => [...steps(facts).values()].map(({ status }) => status);

const anyEventFact = fc
  .record({
    eventId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    action: fc.constantFrom('paid', 'refunded', 'failed', 'disputed', 'updated'),
    transactionId: fc.constantFrom('T', 'U', null),
    amount: fc.constantFrom('100.00', '60', '40', 'many', null),
    currency: fc.constantFrom('USD', 'EUR', null),
  })
  .map(({ eventId, action, ...fields }) => fact(eventId, action, fields));
const anyConflict = fc.constantFrom(conflictFact('a', 'ab12'), conflictFact('b', 'ab12'));
const anyArrivals = fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: anyEventFact }, anyConflict), {
  maxLength: 10,
});

describe('foldSteps', () => {
  it('shows the state after each fact of a payment, a partial refund and the rest', () => {
    const refund = (id: string, amount: string) => fact(id, 'refunded', { amount });
    expect(statusesOf([fact('a', 'updated'), paid('b'), refund('c', '40'), refund('d', '100.00')])).toEqual([
      'pending',
      'paid',
      'partially_refunded',
      'refunded',
    ]);
  });

  it('counts a later event under the id of an earlier one in addition to those that stay', () => {
    const events = [fact('a', 'updated'), fact('b', 'updated'), paid('b')];
    expect(statusesOf(events)).toEqual(['pending', 'pending', 'paid']);
  });

  it('shows after which fact an attention was raised', () => {
    const [first, second] = [paid('a'), paid('b', { transactionId: 'U' })];
    const found = steps([first, second]);
    expect(found.get(first)).toEqual({ status: 'paid', attention: [] });
    expect(found.get(second)).toEqual({ status: 'paid', attention: ['multiple_paid_transactions'] });
  });

  it('shows after each arrival the fold of the facts up to it', () => {
    const property = fc.property(anyArrivals, (arrivals) => {
      for (const [n, text] of arrivals.entries()) {
        const { status, attention } = foldOrder(arrivals.slice(0, n + 1));
        expect(steps(arrivals).get(text)).toEqual({ status, attention });
      }
    });
    fc.assert(property, { numRuns: 500 });
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
