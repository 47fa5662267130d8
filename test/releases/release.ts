import { type AttributeValue, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { startService } from '@payhooks/payment-service/testing';
import { vi } from 'vitest';
import type { Consumer } from '../../lambdas/consumer/consumer.ts';
import { eventOfKey, orderOfKey } from '../../lambdas/contract/schema.ts';
import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import { eventBody } from '../doubles/event-body.ts';
import { gatewayEvent, proof } from '../doubles/gateway-event.ts';
import { startTables } from '../doubles/local-tables.ts';
import { type SentBody, sqsEvent } from '../doubles/sqs-event.ts';
import { functionLog, startFunction } from '../doubles/started-function.ts';

type Item = Record<string, AttributeValue>;

/** What a release leaves in its tables, and what it responded over these rows. */
export interface Recorded {
  readonly events: readonly Item[];
  readonly orders: readonly Item[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const paid = (id: string, more: object = {}) => ({
  body: eventBody({ id, order: id, transaction: id, ...more }),
});
/** One delivery or more of every kind of row; each batch after the one before. */
const deliveries: readonly (readonly SentBody[])[] = [
  [paid('paid'), paid('refunded'), paid('joined'), paid('resolved'), paid('erased'), paid('failed')],
  [
    paid('r-1', { action: 'refunded', order: 'refunded', transaction: 'refunded' }),
    paid('r-2', { action: 'refunded', order: null, transaction: 'joined', amount: '40.00' }),
    paid('r-3', { action: 'refunded', order: null, transaction: 'unknown' }),
    paid('r-4', { action: 'refunded', order: null, transaction: 'admitted' }),
    paid('p-2', { order: 'resolved', transaction: 'resolved-2' }),
    paid('f-1', { action: 'failed', order: 'failed', transaction: 'failed-2' }),
    paid('n-1', { action: 'settled', order: 'paid' }),
  ],
  [
    paid('paid', { attempt: 2 }),
    paid('paid', { amount: '90.00' }),
    paid('dismissed', { sandbox: true }),
    { ...paid('paid', { sandbox: true }), mode: 'sandbox' },
    { body: Buffer.from('no event') },
  ],
];
const retained: typeof deliveries = [
  [paid('kept'), paid('r-5', { action: 'refunded', order: null, transaction: 'kept-2' })],
  [paid('kept', { order: 'another' })],
];
const acts: readonly [act: string, request: object][] = [
  ['dismiss', { event_id: 'dismissed' }],
  ['admit', { event_id: 'r-4', order_id: 'admitted' }],
  ['resolve', { order_id: 'resolved', sequence: 2, attention: ['multiple_paid_transactions'] }],
  ['erase', { event_id: 'erased' }],
];

/** Today's functions over tables with these rows. */
export async function openFunctions({ events, orders }: Pick<Recorded, 'events' | 'orders'>) {
  const { client, emulator, close } = await startTables();
  for (const [TableName, items] of Object.entries({ events, orders }))
    for (const Item of items) await client.send(new PutItemCommand({ TableName, Item: withBytes(Item) }));
  const start = <Handler>(stage: string, variables = {}): Promise<Handler> =>
    startFunction(stage, { endpoint: emulator.endpoint, ...variables });
  functionLog();
  const secrets = await startService({ json: { SecretString: proof } });
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.baseUrl);
  const rowsIn = async (TableName: string): Promise<Item[]> =>
    (await client.send(new ScanCommand({ TableName }))).Items ?? [];
  const rows = async () => ({ events: await rowsIn('events'), orders: await rowsIn('orders') });
  const query = await start<HttpApi>('order-query');
  const operations = await start<HttpApi>('operations');
  const get = async (kind: 'orders' | 'events', mode: string, id: string): Promise<unknown> => {
    const name = kind === 'orders' ? 'order_id' : 'event_id';
    const routeKey = `GET /${kind}/{${name}}`;
    const parameters = { pathParameters: { [name]: id }, queryStringParameters: { mode } };
    return JSON.parse((await query(gatewayEvent({ routeKey, ...parameters }))).body ?? '');
  };
  return {
    close,
    async consume(sent: readonly SentBody[], variables = {}): Promise<void> {
      const EVENT_QUEUE_URL = 'http://127.0.0.1:2/queue';
      const consumer = await start<Consumer>('consumer', { EVENT_QUEUE_URL, ...variables });
      const { batchItemFailures } = await consumer(sqsEvent(...sent));
      if (batchItemFailures.length > 0) throw new Error('The consumer did not record every event.');
    },
    async act(act: string, request: object): Promise<{ readonly [name: string]: unknown }> {
      const body = JSON.stringify(request);
      const response = await operations(gatewayEvent({ routeKey: `POST /operations/${act}`, body }));
      if (response.statusCode !== 200) throw new Error(`${act}: ${response.body}`);
      return JSON.parse(response.body ?? '');
    },
    rows,
    /** What the order query shows of every order and event. */
    async responses(): Promise<Recorded['responses']> {
      const { events, orders } = await rows();
      const orderIds = orders.map(({ order_key }) => orderOfKey(order_key?.S ?? ''));
      const eventIds = events.map(({ event_key }) => eventOfKey(event_key?.S ?? ''));
      const found: Record<string, unknown> = {};
      for (const { mode, id } of orderIds.filter((order) => order !== undefined))
        found[`${mode} order ${id}`] = await get('orders', mode, id);
      for (const { mode, id } of eventIds.filter((event) => event !== undefined))
        found[`${mode} event ${id}`] = await get('events', mode, id);
      return found;
    },
  };
}

/** The rows of this version: every kind, with and without an expiry of bodies. */
export async function recordRows(): Promise<Recorded> {
  const functions = await openFunctions({ events: [], orders: [] });
  for (const batch of deliveries) await functions.consume(batch);
  for (const batch of retained) await functions.consume(batch, { EVENT_RETENTION_DAYS: '30' });
  // A consumer may still write what it has read for a minute, and some acts wait for that.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  for (const [act, request] of acts) await functions.act(act, { reason: 'a release', ...request });
  const recorded = { ...(await functions.rows()), responses: await functions.responses() };
  await functions.close();
  return recorded;
}

/** Bytes are in base64 in a file. */
export const asText = (_: string, value: unknown): unknown =>
  value instanceof Object && 'B' in value
    ? { B: Buffer.from(value.B as Uint8Array).toString('base64') }
    : value;

/** The inverse. */
function withBytes(item: Item): Item {
  const bytesOf = ({ B }: AttributeValue): AttributeValue => ({ B: Buffer.from(`${B}`, 'base64') });
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, value.B === undefined ? value : bytesOf(value)]),
  );
}
