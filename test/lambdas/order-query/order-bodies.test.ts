import { describe, expect, it } from 'vitest';
import { conflictFact } from '../../../lambdas/domain/fact.ts';
import { readBodies } from '../../../lambdas/order-query/order-bodies.ts';
import type { EventRow } from '../../../lambdas/ports/rows.ts';
import type { EventReader, FoundBodies } from '../../../lambdas/ports/stores.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { paid } from '../../doubles/facts.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';

async function bodiesOf(facts: readonly string[], found: FoundBodies) {
  const events: EventReader = { ...createMemoryTables().open().events, bodiesOf: async () => found };
  const order = { order: { mode: 'live', id: 'o-1' }, facts, sequence: 1, updatedAt: '2026' } as const;
  return (await readBodies(events, order)).get('e');
}
const fact = (amount: string) => paid('e', { transactionId: 'txn-1', currency: 'EUR', amount });
const rows = (...all: readonly EventRow[]): FoundBodies => ({ kind: 'found', rows: all });

describe('the body of an event that its order counts', () => {
  const row = eventRow('e', { reading: { amount: '1' } });
  const other = eventRow('e', { record: 'conflict:b', reading: { amount: '2' } });

  it('is the one that says what the fact says, whichever row it has', async () => {
    const facts = [fact('1'), fact('2')];
    expect(await bodiesOf(facts, rows(row, other))).toEqual({ row: other, counts: true, others: [row] });
  });

  it('is none of the stored ones when none says what the fact says', async () => {
    const facts = [fact('3'), conflictFact('e', 'cd')];
    expect(await bodiesOf(facts, rows(row))).toEqual({ row, counts: false, others: [] });
  });

  it.each(['too_many_bodies', 'unreadable'] as const)(
    'is not looked up where the bodies are %s',
    async (kind) => {
      expect(await bodiesOf([fact('1')], { kind })).toBeUndefined();
    },
  );

  it('is not known where the event has no row', async () => {
    expect(await bodiesOf([fact('1')], rows())).toBeUndefined();
  });
});
