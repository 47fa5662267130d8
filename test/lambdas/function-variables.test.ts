import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { runSimulator, type Scripted, startService } from '@payhooks/payment-service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Consumer } from '../../lambdas/consumer/consumer.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import type { Heartbeat } from '../../lambdas/heartbeat/heartbeat.ts';
import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import type { Verifier } from '../../lambdas/verifier/verifier.ts';
import type { AuditReport } from '../../lambdas/webhook-audit/finding.ts';
import { type EventFields, eventBody } from '../doubles/event-body.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { type LocalTables, startTables } from '../doubles/local-tables.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';
import { functionLog, startFunction } from '../doubles/started-function.ts';

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

async function act(route: string, body: object, variables: Variables = {}): Promise<void> {
  const operations = await start<HttpApi>('operations', variables);
  const request = { reason: 'checked', ...body };
  const response = await operations(gatewayEvent({ routeKey: route, body: JSON.stringify(request) }));
  expect(response).toMatchObject({ statusCode: 200 });
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
  ])('of the consumer %s', async (_, variables, days) => {
    await consume({ id: `kept-${days}`, order: 'A' }, variables);
    expect(await daysUntilExpiry(`kept-${days}`)).toBe(days);
  });

  it.each([
    ['keeps the body of a dismissed event forever without it', {}, undefined],
    ['lets the body of a dismissed event expire', { EVENT_RETENTION_DAYS: '30' }, 30],
  ])('of the operations API %s', async (_, variables, days) => {
    const id = `dismissed-${days}`;
    await consume({ id, action: 'refunded', transaction: id }, variables);
    expect(await daysUntilExpiry(id)).toBeUndefined();
    await act('POST /operations/dismiss', { event_id: id }, variables);
    expect(await daysUntilExpiry(id)).toBe(days);
  });
});

describe('SEQUENCE_BASE', () => {
  it.each([
    ['of an order is that of its row without it', {}, 1],
    ['of an order is larger by it', { SEQUENCE_BASE: '2000000000' }, 2_000_000_001],
  ])('of the order query: the sequence %s', async (_, variables, sequence) => {
    await consume({ id: 'sequenced', order: 'sequenced', transaction: 'sequenced' });
    const query = await start<HttpApi>('order-query', variables);
    const request = { routeKey: 'GET /orders/{order_id}', pathParameters: { order_id: 'sequenced' } };
    expect(JSON.parse((await query(gatewayEvent(request))).body ?? '')).toMatchObject({ sequence });
  });
});

describe('EVENT_MEANINGS', () => {
  it.each([
    ['waits without it', {}, 'live:event_name'],
    ['is known with it', { EVENT_MEANINGS: '{"transaction.won":"history"}' }, undefined],
  ])('of the consumer: an event name %s', async (_, variables, waiting) => {
    const name = 'live:name:transaction.won';
    await tables.client.send(
      new DeleteItemCommand({
        ...{ TableName: 'events', Key: { event_key: { S: name }, record: { S: 'event_name' } } },
      }),
    );
    await consume({ id: `won-${waiting}`, action: 'won', order: 'C', transaction: 'C' }, variables);
    expect((await rowsAt(name)).map((row) => row['waiting']?.S)).toEqual(waiting ? [waiting] : []);
  });
});

/** AWS with one private key; it takes every message. */
function aws({ headers, body }: { headers: IncomingHttpHeaders; body: string }): Scripted {
  const operation = String(headers['x-amz-target']).split('.').at(-1);
  if (operation === 'GetSecretValue') return { json: { SecretString: 'pri_live', VersionId: '1' } };
  if (operation !== 'SendMessage') return { json: {} };
  const MD5OfMessageBody = createHash('md5').update(JSON.parse(body).MessageBody).digest('hex');
  return { json: { MessageId: '1', MD5OfMessageBody } };
}

describe('COUNT_ACCEPTED', () => {
  it.each([
    ['counts an accepted webhook', { COUNT_ACCEPTED: 'true' }, 1],
    ['counts none without it', {}, undefined],
  ])('of the verifier %s', async (_, variables, count) => {
    const { baseUrl: endpoint } = await startService(aws);
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
});

describe('REQUIRED_EVENTS', () => {
  it.each([
    ['transaction.paid', []],
    ['transaction.paid,transaction.refunded', ['event_missing']],
  ])(
    'of the webhook audit: with %s, a webhook for payments alone has the findings %j',
    async (required, kinds) => {
      const { baseUrl: endpoint } = await startService(aws);
      functionLog();
      const url = 'https://hooks.example.com/webhooks/payments';
      const { baseUrl, registerWebhook } = await runSimulator();
      registerWebhook({ url, enabledEvents: ['transaction.paid'], isLiveMode: true });
      const audit = await startFunction<() => Promise<AuditReport>>('webhook-audit', {
        ...{ endpoint, KEY_SECRET_ARN: 'keys', PAYMENT_SERVICE_BASE_URL: baseUrl, WEBHOOK_URL: url },
        ...{ DEAD_LETTER_QUEUE_URL: `${endpoint}/dead`, REQUIRED_EVENTS: required, STACK_NAME: 'payhooks' },
      });
      const { findings } = await audit();
      expect(findings.map(({ kind }) => kind)).toEqual(kinds);
    },
  );
});

describe('CLIENT_CERTIFICATE_SECRET_ARN', () => {
  it.each([
    ['reads that certificate', { CLIENT_CERTIFICATE_SECRET_ARN: 'certificate' }, ['key', 'certificate']],
    ['reads none without it', {}, ['key']],
  ])('of the heartbeat: %s', async (_, variables, secrets) => {
    const { baseUrl: endpoint, received } = await startService({
      json: { SecretString: '0'.repeat(64), VersionId: '1' },
    });
    functionLog();
    const beat = await startFunction<Heartbeat>('heartbeat', {
      ...{ endpoint, SIGNATURE_HEADER: 'x-signature', HEARTBEAT_KEY_SECRET_ARN: 'key', ...variables },
      WEBHOOK_URL: 'http://127.0.0.1:2/webhooks/payments',
    });
    await beat({ source: 'schedule', detail: {} });
    expect(received.map(({ body }) => JSON.parse(body).SecretId)).toEqual(secrets);
  });
});
