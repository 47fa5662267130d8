import { describe, expect, it } from 'vitest';
import { createMeaningOf } from '../../lambdas/domain/assumptions.ts';
import { countEvents, countedFacts } from '../../lambdas/domain/counted-events.ts';
import {
  conflictFact,
  correctionFact,
  leftFact,
  parseFact,
  resolvedFact,
  sharedFact,
} from '../../lambdas/domain/fact.ts';
import { fact, paid } from '../doubles/facts.ts';
import { fold, meaningOf } from '../doubles/fold.ts';

describe('the events of an order', () => {
  it('are listed by id, also where the texts of their facts sort otherwise', () => {
    expect(fold([paid('a!'), paid('a')]).events.map(({ id }) => id)).toEqual(['a', 'a!']);
  });

  it('under one id are a conflict, also when a correction names that mark', () => {
    const mark = conflictFact('a', 'ab12');
    expect(fold([paid('a'), mark, correctionFact(mark, 1)]).attention).toEqual(['conflicting_event']);
  });

  it('are the same with the mark that the order has left a transaction, which is shared or not', () => {
    for (const facts of [[paid('a')], [paid('a'), sharedFact('T')]]) {
      expect(fold([...facts, leftFact('T')])).toEqual(fold(facts));
    }
    expect(parseFact(leftFact('T')).kind).toBe('correction');
    expect(leftFact('T')).not.toBe(leftFact('U'));
  });

  it('under one id without an effect are ranked by amount, whether or not a setting names them', () => {
    const named = createMeaningOf({ 'transaction.captured': 'history' });
    const facts = [fact('a', 'captured', { amount: '100' }), fact('a', 'updated', { amount: '200' })];
    expect(countEvents(facts, named).events).toMatchObject([{ amount: '200' }]);
  });
});

it('the resolutions of an order are the facts of operators, and nothing else', () => {
  const act = { by: 'ann', at: '2026-11-21T11:00:00.000Z', reason: 'won' };
  const resolution = { attention: 'disputed', judgedSha256: 'ab', ...act };
  const facts = [paid('a'), conflictFact('a', 'ab12'), resolvedFact(resolution)];
  expect(countEvents(facts, meaningOf).resolutions).toEqual([{ kind: 'resolved', ...resolution }]);
});

describe('countedFacts', () => {
  it('has one text for each event id: of several, the one that counts', () => {
    const [refund, small, large] = [
      fact('r', 'refunded'),
      paid('a', { amount: '1' }),
      paid('a', { amount: '2' }),
    ];
    expect([...countedFacts([small, refund, large], meaningOf)]).toEqual([
      ['a', large],
      ['r', refund],
    ]);
  });

  it('has no event that was corrected', () => {
    const misread = paid('a', { amount: null });
    expect([...countedFacts([misread, correctionFact(misread, 1)], meaningOf)]).toEqual([]);
    const again = [misread, correctionFact(misread, 1), correctionFact(misread, 2)];
    expect([...countedFacts(again, meaningOf)]).toEqual([['a', misread]]);
  });
});
