import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { runSimulator, type Scripted } from '@payhooks/payment-service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Consumer } from '../../lambdas/consumer/consumer.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import type { Heartbeat } from '../../lambdas/heartbeat/heartbeat.ts';
import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import type { Verifier } from '../../lambdas/verifier/verifier.ts';
import type { AuditReport } from '../../lambdas/webhook-audit/webhook-audit.ts';
import { type EventFields, eventBody } from '../doubles/event-body.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { type LocalTables, startTables } from '../doubles/local-tables.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';
import { functionLog, startAws, startFunction } from '../doubles/started-function.ts';

let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());

type Variables = Omit<Parameters<typeof startFunction>[1], 'endpoint'>;

/** A function over the tables; its log is not shown. */
function start<Handler>(stage: string, variables: Variables = {}): Promise<Handler> {
  functionLog();
  return startFunction(stage, { endpoint: tables.emulator.endpoint, ...variables });
}

async function consume(event: EventFields, variables: Variables = {}): Promise<void> {
  const EVENT_QUEUE_URL = 'http://127.0.0.1:2/queue';
  const consumer = await start<Consumer>('consumer', { EVENT_QUEUE_URL, ...variables });
  expect(await consumer(sqsEvent({ body: eventBody(event) }))).toEqual({ batchItemFailures: [] });
}

async function rowsAt(key: string) {
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: 'events' }));
  return Items.filter(({ event_key }) => event_key?.S === key);
}

/** Of the body of an event, in days after now; `undefined` when it does not expire. */
async function daysUntilExpiry(eventId: string): Promise<number | undefined> {
  const body = (await rowsAt(`live:event:${eventId}`)).find(({ body }) => body !== undefined);
  if (body === undefined) throw new Error(`The body of ${eventId} is not stored.`);
  const expiresAt = body['expires_at']?.N;
  return expiresAt === undefined ? undefined : Math.round((Number(expiresAt) - Date.now() / 1_000) / 86_400);
}

describe('EVENT_RETENTION_DAYS', () => {
  it.each([
    ['keeps bodies forever without it', {}, undefined],
    ['lets bodies expire', { EVENT_RETENTION_DAYS: '30' }, 30],
  ])('of the consumer and of the operations API %s', async (_, variables, days) => {
    await consume({ id: `kept-${days}`, order: 'A' }, variables);
    expect(await daysUntilExpiry(`kept-${days}`)).toBe(days);
    const id = `dismissed-${days}`;
    await consume({ id, action: 'refunded', transaction: id }, variables);
    expect(await daysUntilExpiry(id)).toBeUndefined();
    const operations = await start<HttpApi>('operations', variables);
    const body = JSON.stringify({ reason: 'checked', event_id: id });
    const request = gatewayEvent({ routeKey: 'POST /operations/dismiss', body });
    expect(await operations(request)).toMatchObject({ statusCode: 200 });
    expect(await daysUntilExpiry(id)).toBe(days);
  });
});

it.each([
  ['that of its row without it', {}, 1],
  ['larger by it', { SEQUENCE_BASE: '2000000000' }, 2_000_000_001],
])('SEQUENCE_BASE of the order query: the sequence of an order is %s', async (_, variables, sequence) => {
  await consume({ id: 'sequenced', order: 'sequenced', transaction: 'sequenced' });
  const query = await start<HttpApi>('order-query', variables);
  const request = { routeKey: 'GET /orders/{order_id}', pathParameters: { order_id: 'sequenced' } };
  expect(JSON.parse((await query(gatewayEvent(request))).body ?? '')).toMatchObject({ sequence });
});

it.each([
  ['waits without it', 'lost', {}, ['live:event_name']],
  ['is known with it', 'won', { EVENT_MEANINGS: '{"transaction.won":"history"}' }, []],
])('EVENT_MEANINGS of the consumer: an event name %s', async (_, action, variables, waiting) => {
  await consume({ id: action, action, order: 'C', transaction: 'C' }, variables);
  const rows = await rowsAt(`live:name:transaction.${action}`);
  expect(rows.map((row) => row['waiting']?.S)).toEqual(waiting);
});

it('the consumer counts the attempts that DynamoDB throttled, in a metric of its log', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const throttled = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
  const { endpoint } = await startAws({ status: 400, json: { __type: throttled } });
  const log = functionLog();
  const consumer = await startFunction<Consumer>('consumer', {
    endpoint,
    EVENT_QUEUE_URL: `${endpoint}/queue`,
  });
  const { batchItemFailures } = await consumer(sqsEvent({ body: eventBody({ id: 'throttled' }) }));
  expect(batchItemFailures).toHaveLength(1);
  const metrics = log.find((line) => 'TablesThrottled' in line);
  expect([metrics?.['TablesThrottled']].flat()).toContain(1);
});

/** AWS with one private key; it takes every message. */
function aws({ headers, body }: { headers: IncomingHttpHeaders; body: string }): Scripted {
  const operation = String(headers['x-amz-target']).split('.').at(-1);
  if (operation === 'GetSecretValue') return { json: { SecretString: 'pri_live', VersionId: '1' } };
  if (operation !== 'SendMessage') return { json: {} };
  const MD5OfMessageBody = createHash('md5').update(JSON.parse(body).MessageBody).digest('hex');
  return { json: { MessageId: '1', MD5OfMessageBody } };
}

it.each([
  ['counts an accepted webhook', { COUNT_ACCEPTED: 'true' }, 1],
  ['counts none without it', {}, undefined],
])('COUNT_ACCEPTED of the verifier %s', async (_, variables, count) => {
  const { endpoint } = await startAws(aws);
  const log = functionLog();
  const verify = await startFunction<Verifier>('verifier', {
    ...{ endpoint, SIGNATURE_HEADER: 'x-signature', KEY_SECRET_ARN: 'keys', ...variables },
    EVENT_QUEUE_URL: `${endpoint}/queue`,
  });
  const body = Buffer.from(eventBody({ id: 'e' }));
  const headers = { 'x-signature': sign(createSigningKey('pri_live'), body) };
  const request = { routeKey: 'POST /webhooks/payments', headers, body: body.toString() };
  expect(await verify(gatewayEvent(request))).toMatchObject({ statusCode: 202 });
  expect(log.find((line) => 'WebhooksAccepted' in line)?.['WebhooksAccepted']).toBe(count);
});

it('REQUIRED_EVENTS of the webhook audit are those that the webhook must subscribe to', async () => {
  const { endpoint } = await startAws(aws);
  functionLog();
  const url = 'https://hooks.example.com/webhooks/payments';
  const { baseUrl, registerWebhook } = await runSimulator();
  registerWebhook({ url, enabledEvents: ['transaction.paid'], isLiveMode: true });
  const kindsFor = async (REQUIRED_EVENTS: string) => {
    const audit = await startFunction<() => Promise<AuditReport>>('webhook-audit', {
      ...{ endpoint, KEY_SECRET_ARN: 'keys', PAYMENT_SERVICE_BASE_URL: baseUrl, WEBHOOK_URL: url },
      ...{ DEAD_LETTER_QUEUE_URL: `${endpoint}/dead`, STACK_NAME: 'payhooks', REQUIRED_EVENTS },
    });
    return (await audit()).findings.map(({ kind }) => kind);
  };
  expect(await kindsFor('transaction.paid')).toEqual([]);
  expect(await kindsFor('transaction.paid,transaction.refunded')).toEqual(['event_missing']);
});

it.each([
  ['reads that certificate', { CLIENT_CERTIFICATE_SECRET_ARN: 'certificate' }, ['key', 'certificate']],
  ['reads none without it', {}, ['key']],
])('CLIENT_CERTIFICATE_SECRET_ARN of the heartbeat: it %s', async (_, variables, secrets) => {
  const { endpoint, inputs } = await startAws({ json: { SecretString: '0'.repeat(64), VersionId: '1' } });
  functionLog();
  const beat = await startFunction<Heartbeat>('heartbeat', {
    ...{ endpoint, SIGNATURE_HEADER: 'x-signature', HEARTBEAT_KEY_SECRET_ARN: 'key', ...variables },
    WEBHOOK_URL: 'http://127.0.0.1:2/webhooks/payments',
  });
  await beat({ source: 'schedule', detail: {} });
  expect(inputs().map(({ SecretId }) => SecretId)).toEqual(secrets);
});
