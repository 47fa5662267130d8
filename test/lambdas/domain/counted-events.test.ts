import { describe, expect, it } from 'vitest';
import { countEvents } from '../../../lambdas/domain/counted-events.ts';
import { conflictFact, resolvedFact } from '../../../lambdas/domain/fact.ts';
import { fact, paid } from '../../doubles/facts.ts';

describe('countEvents', () => {
  it('lists events by id, also where the texts of their facts sort otherwise', () => {
    const events = [fact('a', 'updated'), paid('a!'), fact('b', 'failed')];
    expect(countEvents(events.toReversed()).events.map(({ eventId }) => eventId)).toEqual(['a', 'a!', 'b']);
  });

  it('has one text for each event id: of several, the one that counts', () => {
    const refund = fact('r', 'refunded');
    const [small, large] = [paid('a', { amount: '1' }), paid('a', { amount: '2' })];
    expect([...countEvents([small, refund, large]).texts]).toEqual([
      ['a', large],
      ['r', refund],
    ]);
  });

  it('ranks events without effect under one id by amount', () => {
    const facts = [fact('a', 'captured', { amount: '100' }), fact('a', 'updated', { amount: '200' })];
    expect(countEvents(facts).events).toMatchObject([{ amount: '200' }]);
  });

  it('has the ids under which another body arrived, also one that is not a fact of the order', () => {
    const facts = [paid('a'), paid('b'), paid('b', { amount: '1' }), conflictFact('c', 'ab12'), paid('d')];
    expect([...countEvents(facts).contested].sort()).toEqual(['b', 'c']);
  });

  it('has the resolutions by operators, and nothing else, as resolutions', () => {
    const act = { by: 'ann', at: '2026-11-21T11:00:00.000Z', reason: 'won' };
    const resolution = { attention: 'disputed', judgedSha256: 'ab', ...act };
    const facts = [paid('a'), conflictFact('a', 'ab12'), resolvedFact(resolution)];
    expect(countEvents(facts).resolutions).toEqual([{ kind: 'resolved', ...resolution }]);
  });

  it('counts what it can read, and reports what it cannot', () => {
    expect(countEvents([paid('a')]).unreadable).toBe(false);
    const { events, unreadable } = countEvents([paid('a'), '["settled","b"]']);
    expect([events.length, unreadable]).toEqual([1, true]);
  });
});
