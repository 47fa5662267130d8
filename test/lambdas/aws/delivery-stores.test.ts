import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDeliveryStores } from '../../../lambdas/aws/delivery-stores.ts';
import { recordCalls } from '../../doubles/call-recorder.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { type LocalTables, openTables, startTables } from '../../doubles/local-tables.ts';
import { stubAws } from '../../doubles/started-function.ts';

let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());

const storesOf = () => createDeliveryStores({ eventsTableName: 'events', ordersTableName: 'orders' });

it('finds the events of the orders that changed since a time, and when they were received', async () => {
  stubAws(tables.emulator.endpoint);
  const { store } = openTables(tables.client);
  const change = (id: string, at: string, eventId: string) =>
    store.merge({
      order: { mode: 'live', id },
      facts: [JSON.stringify(['paid', eventId, 'transaction.paid', 't', '1.00', 'USD', null])],
      now: () => new Date(at),
    });
  await change('before', '2026-11-21T10:59:59.999Z', 'e-before');
  await change('both', '2026-11-21T10:00:00.000Z', 'e-first');
  await change('both', '2026-11-21T11:30:00.000Z', 'e-second');
  await change('at once', '2026-11-21T11:00:00.000Z', 'e-at-once');
  await store.put(eventRow('e-first', { receivedAt: '2026-11-21T09:59:58.000Z' }));
  const { countedSince, receivedAt } = storesOf();
  const { eventIds, isComplete } = await countedSince('live', Date.UTC(2026, 10, 21, 11));
  expect([eventIds.toSorted(), isComplete]).toEqual([['e-at-once', 'e-first', 'e-second'], true]);
  const received = await receivedAt('live', eventIds);
  expect([...received]).toEqual([['e-first', Date.UTC(2026, 10, 21, 9, 59, 58)]]);
});

it.each(['event', 'conflict:ab'])('an event is stored when the table has its row %s', async (record) => {
  stubAws(tables.emulator.endpoint);
  const { isStored } = storesOf();
  await openTables(tables.client).store.put(eventRow(record, { record }));
  const recorder = recordCalls();
  expect(await isStored('live', record)).toBe(true);
  expect(await isStored('sandbox', record)).toBe(false);
  expect(await isStored('live', record.slice(0, -1))).toBe(false);
  recorder.stop();
  // No row is read.
  const count = { action: 'dynamodb:Query', body: { Select: 'COUNT', Limit: 1 } };
  expect(recorder.calls).toMatchObject([count, count, count]);
});
