import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Consumer } from '../lambdas/consumer/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());

/** The function as Lambda starts it, over tables in this process. */
async function start(variables: Readonly<Record<string, string>>): Promise<Consumer> {
  const environment = {
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
    ...{ AWS_ENDPOINT_URL: tables.emulator.endpoint, POWERTOOLS_METRICS_NAMESPACE: 'payhooks' },
    POWERTOOLS_SERVICE_NAME: 'consumer',
    ...{
      EVENTS_TABLE_NAME: 'events',
      ORDERS_TABLE_NAME: 'orders',
      EVENT_QUEUE_URL: 'http://127.0.0.1:2/queue',
    },
    ...variables,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  // The query makes it a module of its own, over the same others: resetting them would reset those of every file.
  const module: string = `../lambdas/consumer/handler.ts?${JSON.stringify(variables)}`;
  const { handler } = (await import(module)) as { handler: Consumer };
  return handler;
}

/** Of the body of an event, in days after now; `undefined` when it does not expire. */
async function daysUntilExpiry(eventId: string): Promise<number | undefined> {
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: 'events' }));
  const body = Items.find(({ event_key, record, body }) => {
    return event_key?.S === `live:event:${eventId}` && body !== undefined && record?.S !== undefined;
  });
  if (body === undefined) throw new Error(`The body of ${eventId} is not stored.`);
  const expiresAt = body['expires_at']?.N;
  return expiresAt === undefined ? undefined : Math.round((Number(expiresAt) - Date.now() / 1_000) / 86_400);
}

it.each([
  ['keeps bodies forever without EVENT_RETENTION_DAYS', {}, undefined],
  ['lets bodies expire after EVENT_RETENTION_DAYS', { EVENT_RETENTION_DAYS: '30' }, 30],
])('the consumer %s', async (_, variables, days) => {
  const id = `kept-${days}`;
  const consume = await start(variables);
  const response = await consume(sqsEvent({ body: eventBody({ id, order: 'A' }) }));
  expect(response).toEqual({ batchItemFailures: [] });
  expect(await daysUntilExpiry(id)).toBe(days);
});
