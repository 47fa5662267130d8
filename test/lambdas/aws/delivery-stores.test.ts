import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDeliveryStores } from '../../../lambdas/aws/delivery-stores.ts';
import { recordCalls } from '../../doubles/call-recorder.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { type LocalTables, openTables, startTables } from '../../doubles/local-tables.ts';
import { startAws, stubAws } from '../../doubles/started-function.ts';

let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());

it.each(['event', 'conflict:ab'])('an event is stored when the table has its row %s', async (record) => {
  stubAws(tables.emulator.endpoint);
  const { isStored } = createDeliveryStores('events', 'http://127.0.0.1:1/000000000000/dead-letters');
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

it.each<[string, object, number]>([
  [
    'messages that wait, and those that are being read',
    { ApproximateNumberOfMessages: '3', ApproximateNumberOfMessagesNotVisible: '2' },
    5,
  ],
  ['only what is being read', { ApproximateNumberOfMessagesNotVisible: '2' }, 2],
])('the dead-letter queue holds %s', async (_, Attributes, depth) => {
  const { endpoint, inputs } = await startAws({ json: { Attributes } });
  const QueueUrl = `${endpoint}/000000000000/dead-letters`;
  expect(await createDeliveryStores('events', QueueUrl).deadLetters()).toBe(depth);
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'];
  expect(inputs()).toEqual([{ QueueUrl, AttributeNames }]);
});

it('a dead-letter queue without counts holds nothing', async () => {
  const { endpoint } = await startAws({ json: {} });
  expect(await createDeliveryStores('events', `${endpoint}/0/dead-letters`).deadLetters()).toBe(0);
});
