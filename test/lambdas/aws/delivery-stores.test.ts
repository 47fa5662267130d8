import { startService } from '@payhooks/payment-service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeliveryStores } from '../../../lambdas/aws/delivery-stores.ts';
import { recordCalls } from '../../doubles/call-recorder.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { type LocalTables, openTables, startTables } from '../../doubles/local-tables.ts';

let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());
beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', tables.emulator.endpoint);
});
const stores = (baseUrl = 'http://127.0.0.1:1') =>
  createDeliveryStores('events', `${baseUrl}/000000000000/dead-letters`);

describe('an event', () => {
  const put = (id: string, record: string) => openTables(tables.client).store.put(eventRow(id, { record }));

  it.each(['event', 'conflict:ab'])('is stored when the table has its row %s', async (record) => {
    await put(record, record);
    expect(await stores().isStored('live', record)).toBe(true);
    expect(await stores().isStored('sandbox', record)).toBe(false);
    expect(await stores().isStored('live', record.slice(0, -1))).toBe(false);
  });

  it('is looked up without reading its rows', async () => {
    await put('many', 'event');
    await put('many', 'conflict:ab');
    const recorder = recordCalls();
    expect(await stores().isStored('live', 'many')).toBe(true);
    recorder.stop();
    expect(recorder.calls).toMatchObject([{ action: 'dynamodb:Query', body: { Select: 'COUNT', Limit: 1 } }]);
  });
});

describe('the dead-letter queue', () => {
  it.each([
    ['messages that wait, and those that are being read', { waiting: '3', inFlight: '2' }, 5],
    ['only what is being read', { inFlight: '2' }, 2],
    ['nothing, when SQS counts none', {}, 0],
  ])('holds %s', async (_, { waiting, inFlight }: { waiting?: string; inFlight?: string }, depth) => {
    const Attributes = {
      ApproximateNumberOfMessages: waiting,
      ApproximateNumberOfMessagesNotVisible: inFlight,
    };
    const { baseUrl, received } = await startService({ json: waiting || inFlight ? { Attributes } : {} });
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', baseUrl);
    expect(await stores(baseUrl).deadLetters()).toBe(depth);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      QueueUrl: `${baseUrl}/000000000000/dead-letters`,
      AttributeNames: Object.keys(Attributes),
    });
  });
});
