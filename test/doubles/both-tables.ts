import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { eventKey } from '../../lambdas/contract/schema.ts';
import type { EventRow, OrderRow } from '../../lambdas/ports/rows.ts';
import type { Changes } from '../../lambdas/ports/stores.ts';
import { type LocalTables, openTables, startTables } from './local-tables.ts';
import { createMemoryTables, type MemoryPorts } from './memory-store.ts';

export const at = '2026-11-21T10:00:00.000Z';
export const later = '2026-11-21T11:00:00.000Z';
export const decision = { by: 'arn:aws:iam::1:user/ann', at: later, reason: 'checked' };
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const nothing: Changes = { events: [], transactions: [], orders: [], names: [], acts: [] };

/** The ports, with an event id and an order that no other test uses. */
function openFor(ports: MemoryPorts, id: string) {
  const { store } = ports;
  const order = { mode: 'live', id: `order of ${id}` } as const;
  const rowsOf = async (): Promise<readonly EventRow[]> => {
    const found = await store.bodiesOf(eventKey('live', id));
    return found.kind === 'found' ? found.rows : [];
  };
  return {
    ...{ ports, store, id, order, rowsOf },
    ownRow: async () => (await rowsOf()).find(({ record }) => record === 'event') as EventRow,
    orderRow: async () => (await ports.orders.get(order)) as OrderRow,
    merge: (...facts: string[]) => store.merge({ order, facts, now: () => new Date(at) }),
    join: (entry: string) => store.join({ mode: 'live', transactionId: id, entry, at }),
    commit: (changes: Partial<Changes>) => store.commit({ ...nothing, ...changes }),
  };
}
type Opened = ReturnType<typeof openFor>;

/** Runs the same tests with the tables in an embedded database, and with those in memory. */
export function describeBoth(title: string, define: (open: () => Opened) => void): void {
  let tables: LocalTables;
  let tests = 0;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.close());
  beforeEach(() => {
    tests += 1;
  });
  describe(`${title} in the tables`, () => define(() => openFor(openTables(tables.client), `evt-${tests}`)));
  describe(`${title} in memory`, () => {
    define(() => openFor(createMemoryTables().open(), `evt-${tests}`));
  });
}
