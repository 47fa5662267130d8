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

it.each(['event', 'conflict:ab'])('an event is stored when the table has its row %s', async (record) => {
  stubAws(tables.emulator.endpoint);
  const { isStored } = createDeliveryStores('events');
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
