import { createHash } from 'node:crypto';
import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { createReaders, createTables } from '../../lambdas/aws/tables.ts';
import { createClassify } from '../../lambdas/consumer/classify.ts';
import type { fitsOrderItem } from '../../lambdas/contract/order-item.ts';
import { eventKey, eventRecord } from '../../lambdas/contract/schema.ts';
import { fullFact } from '../../lambdas/domain/fact.ts';
import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import { createOperations } from '../../lambdas/operations/routes.ts';
import { consumerOver } from './consumer.ts';
import { eventBody } from './event-body.ts';
import { meaningOf } from './fold.ts';
import type { GatewayRequest } from './gateway-event.ts';
import { openTables, startTables } from './local-tables.ts';
import { createMemoryTables } from './memory-store.ts';
import { orderQueryOver, request } from './order-query.ts';
import { sqsEvent, sqsRecord } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

// What the functions do in their longest paths, in rounds of calls that follow one another.

/** An SDK client, as far as the adapters use it. */
interface Client {
  send(command: never): Promise<unknown>;
}

/**
 * Counts how many calls follow one another, and not how many there are: calls that are under way at one time count
 * as one round. So the rounds of a path are the calls that its time budget has to hold one after the other.
 */
function createCallClock() {
  let rounds = 0;
  let underWay = 0;
  let waiting: (() => void)[] = [];

  /** Starts the next round once no call is under way and nothing else can start one. */
  function startRound(): void {
    if (underWay > 0 || waiting.length === 0) return;
    rounds += 1;
    const starting = waiting;
    waiting = [];
    for (const start of starting) start();
  }

  function counted<In extends unknown[], Out>(call: (...args: In) => Promise<Out>) {
    return async function waitForRound(...args: In): Promise<Out> {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        setImmediate(startRound);
      });
      underWay += 1;
      try {
        return await call(...args);
      } finally {
        underWay -= 1;
        setImmediate(startRound);
      }
    };
  }

  return {
    counted,
    /** A client whose calls are counted. */
    client: <C extends Client>(client: C): C =>
      Object.assign(Object.create(client), { send: counted(client.send.bind(client)) }) as C,
    rounds: () => rounds,
  };
}

const numbers = Array.from({ length: 2 }, (_, n) => n);
const paymentOf = (n: number, orderId = `order-${n}`) =>
  bytesOf(paidEvent({ orderId, eventId: `evt-${n}`, transactionId: `txn-${n}`, seed: `${n}` }));
/** Without an order id. */
const refundOf = (n: number) =>
  bytesOf(refundedEvent({ orderId: '', eventId: `refund-${n}`, transactionId: `txn-${n}`, seed: `${n}` }));

const refunds = numbers.map(refundOf);
const payments = numbers.map((n) => paymentOf(n));
const conflicts = numbers.map((n) => paymentOf(n, `other-${n}`));
/** One event: others of the same order would only repeat the repair that it needs, after a short pause. */
const paymentOfFullOrder = paymentOf(10, 'full');
const refundOfFullOrder = refundOf(10);

/** Batches that meet one another; the last one meets a full order, conflicts and repetitions at one time. */
const batches: Readonly<Record<string, readonly Uint8Array[]>> = {
  'refunds without an order id': refunds,
  'their payments': payments,
  'the same payments again': payments,
  'other payments under the same event ids': conflicts,
  'a payment of a full order': [paymentOfFullOrder],
  'all of these, and a refund of the full order': [...refunds, ...payments, ...conflicts, refundOfFullOrder],
};

/** The rounds of each batch, with bodies that expire and a record that must be postponed. */
export async function consumerRounds(): Promise<ReadonlyMap<string, number>> {
  const clock = createCallClock();
  const fits: typeof fitsOrderItem = ({ id }, facts) => id !== 'full' || facts.includes(fullFact);
  const { store } = createMemoryTables(fits).open();
  const counted = Object.entries(store).map(([name, call]) => [
    name,
    clock.counted(call as (...args: unknown[]) => Promise<unknown>),
  ]);
  const consume = consumerOver(Object.fromEntries(counted) as typeof store, {
    eventRetentionDays: 30,
    fits,
    now: () => new Date(),
    postpone: clock.counted(async () => {}),
  });
  const malformed = { ...sqsRecord({ body: Buffer.from('{}') }), messageAttributes: {} };
  const rounds = new Map<string, number>();
  for (const [name, bodies] of Object.entries(batches)) {
    const before = clock.rounds();
    await consume({ Records: [malformed, ...sqsEvent(...bodies.map((body) => ({ body }))).Records] });
    rounds.set(name, clock.rounds() - before);
  }
  return rounds;
}

/** Requests by what they do; each succeeds, unless it has a status. */
type Requests = Readonly<Record<string, GatewayRequest & { readonly status?: number }>>;
const names = { events: 'events', orders: 'orders' };

/** The rounds of each request to an API over tables that hold these events. */
async function apiRounds(
  bodies: readonly Uint8Array[],
  requests: Requests,
  create: (counted: DynamoDBClient, client: DynamoDBClient) => Promise<HttpApi>,
): Promise<ReadonlyMap<string, number>> {
  const tables = await startTables();
  const consume = consumerOver(openTables(tables.client).store);
  for (const body of bodies) await consume(sqsEvent({ body }));
  const clock = createCallClock();
  const api = await create(clock.client(tables.client), tables.client);
  const rounds = new Map<string, number>();
  for (const [name, { status: expected = 200, ...given }] of Object.entries(requests)) {
    const before = clock.rounds();
    const { status, body } = await request(api, given);
    if (status !== expected) throw new Error(`${name} responded ${status}: ${JSON.stringify(body)}`);
    rounds.set(name, clock.rounds() - before);
  }
  await tables.close();
  return rounds;
}

const orderRoute = 'GET /orders/{order_id}';
const order = { order_id: 'order-0' };
const queries: Requests = {
  'GET /orders': {
    routeKey: 'GET /orders',
    queryStringParameters: { updated_since: '2026-01-01T00:00:00Z', limit: '100' },
  },
  [orderRoute]: { routeKey: orderRoute, pathParameters: order },
  [`${orderRoute}/events`]: { routeKey: `${orderRoute}/events`, pathParameters: order },
  'GET /events/{event_id}': { routeKey: 'GET /events/{event_id}', pathParameters: { event_id: 'evt-0' } },
  'GET /transactions/{transaction_id}': {
    routeKey: 'GET /transactions/{transaction_id}',
    pathParameters: { transaction_id: 'txn-0' },
  },
  [`${orderRoute} of an unknown order`]: {
    ...{ routeKey: orderRoute, pathParameters: { order_id: 'unknown' }, status: 404 },
  },
};

/** Over the orders and events of a whole page; the row of one event has expired. */
export const orderQueryRounds = () =>
  apiRounds(
    Array.from({ length: 110 }, (_, n) => paymentOf(n, `order-${n % 50}`)),
    queries,
    async (counted, client) => {
      const Key = { event_key: { S: eventKey('live', 'evt-100') }, record: { S: eventRecord.event } };
      await client.send(new DeleteItemCommand({ TableName: 'events', Key }));
      return orderQueryOver({ reader: createReaders(counted, names) });
    },
  );

const other = eventBody({ id: 'conflict', order: 'B', transaction: 'U', amount: '7.00' });
const act = (name: string, fields: object): GatewayRequest => ({
  routeKey: `POST /operations/${name}`,
  body: JSON.stringify({ reason: 'measured', ...fields }),
});
const event = (routeKey: string): Requests => ({
  [routeKey]: { routeKey, pathParameters: { event_id: 'conflict' } },
});

export const operationsReads: Requests = {
  'GET /operations/waiting': { routeKey: 'GET /operations/waiting' },
  'GET /operations/waiting/counts': { routeKey: 'GET /operations/waiting/counts' },
  'GET /operations/keys': { routeKey: 'GET /operations/keys' },
  ...event('GET /operations/events/{event_id}'),
  ...event('GET /operations/bodies/events/{event_id}'),
};

/** Each on one event, or on one order with a few: longer work ends after a time and returns a cursor. */
const operationsActs: Requests = {
  'admit a payment and the refund that waits for it': act('admit', { event_id: 'paid', order_id: 'A' }),
  'admit a conflict': act('admit', {
    event_id: 'conflict',
    body_sha256: createHash('sha256').update(other).digest('hex'),
  }),
  'dismiss a refund': act('dismiss', { event_id: 'alone' }),
  'replay an event with two bodies': act('replay', { event_id: 'conflict', publish: true }),
  'replay an order': act('replay', { order_id: 'A' }),
  'erase an event with two bodies': act('erase', { event_id: 'conflict' }),
  'erase an order': act('erase', { order_id: 'A' }),
};

export const operationsRounds = () =>
  apiRounds(
    [
      eventBody({ id: 'paid' }),
      eventBody({ id: 'refund', action: 'refunded', amount: '40.00' }),
      eventBody({ id: 'alone', action: 'refunded', transaction: 'V' }),
      eventBody({ id: 'conflict', order: 'B', transaction: 'U' }),
      other,
    ],
    { ...operationsReads, ...operationsActs },
    async (counted) =>
      createOperations({
        ...createTables(counted, names),
        classify: createClassify(meaningOf),
        meaningOf,
        meaningsId: 'built-in',
        eventRetentionDays: 30,
        now: () => new Date('2026-11-22T10:00:00.000Z'),
        telemetry: recordTelemetry(),
      }),
  );
