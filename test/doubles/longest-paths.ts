import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { createReaders } from '../../lambdas/aws/tables.ts';
import { callMillisecondsMax, secretMaxAgeSeconds } from '../../lambdas/contract/limits.ts';
import type { fitsOrderItem } from '../../lambdas/contract/order-item.ts';
import { eventKey, eventRecord } from '../../lambdas/contract/schema.ts';
import { fullFact } from '../../lambdas/domain/fact.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { createKeyRing } from '../../lambdas/verifier/key-ring.ts';
import { createVerifier } from '../../lambdas/verifier/verifier.ts';
import { createCallClock } from './call-clock.ts';
import { consumerOver } from './consumer.ts';
import { gatewayEvent } from './gateway-event.ts';
import { openTables, startTables } from './local-tables.ts';
import { createMemoryTables } from './memory-store.ts';
import { orderQueryOver, request } from './order-query.ts';
import { sqsEvent, sqsRecord } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

// What the functions do in their longest paths, in rounds of calls that follow one another.

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

/** The rounds of a webhook under a key that was added after an instance had read the secret. */
export async function verifierRounds(): Promise<number> {
  const clock = createCallClock();
  const key = (text: string) => JSON.stringify({ private_keys: [{ key: text }] });
  let secret = key('pri_old');
  const start = Date.parse('2026-11-21T10:00:00.000Z');
  let later = 0;
  const now = () => start + later + clock.rounds() * callMillisecondsMax;
  const telemetry = recordTelemetry();
  const verify = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: createKeyRing({ readSecret: clock.counted(async () => secret), now, telemetry }),
    enqueue: clock.counted(async () => {}),
    now,
    telemetry,
  });
  const body = '{"id":"evt-1"}';
  const post = async (privateKey: string) => {
    const signature = sign(createSigningKey(privateKey), Buffer.from(body));
    const headers = { 'x-service-signature': signature };
    const before = clock.rounds();
    const { statusCode } = await verify(gatewayEvent({ routeKey: 'POST /', headers, body }));
    if (statusCode !== 202) throw new Error(`The verifier responded ${statusCode}.`);
    return clock.rounds() - before;
  };
  const first = await post('pri_old');
  secret = key('pri_new');
  later += (secretMaxAgeSeconds - 1) * 1000;
  return Math.max(first, await post('pri_new'));
}

/**
 * The rounds of each route of the order query, over the orders and events of a whole page; the row of one event
 * has expired.
 */
export async function orderQueryRounds(): Promise<ReadonlyMap<string, number>> {
  const tables = await startTables();
  const consume = consumerOver(openTables(tables.client).store);
  for (let n = 0; n < 110; n += 10) {
    const bodies = Array.from({ length: 10 }, (_, at) => paymentOf(n + at, `order-${(n + at) % 50}`));
    await consume(sqsEvent(...bodies.map((body) => ({ body }))));
  }
  const Key = { event_key: { S: eventKey('live', 'evt-100') }, record: { S: eventRecord.event } };
  await tables.client.send(new DeleteItemCommand({ TableName: 'events', Key }));
  const clock = createCallClock();
  const client = clock.client(tables.client);
  const reader = createReaders(client, { events: 'events', orders: 'orders' });
  const query = orderQueryOver({ reader });
  const order = { order_id: 'order-0' };
  const requests = [
    {
      routeKey: 'GET /orders',
      queryStringParameters: { updated_since: '2026-01-01T00:00:00Z', limit: '100' },
    },
    { routeKey: 'GET /orders/{order_id}', pathParameters: order },
    { routeKey: 'GET /orders/{order_id}/events', pathParameters: order },
    { routeKey: 'GET /events/{event_id}', pathParameters: { event_id: 'evt-0' } },
    { routeKey: 'GET /transactions/{transaction_id}', pathParameters: { transaction_id: 'txn-0' } },
  ];
  const rounds = new Map<string, number>();
  const measure = async (name: string, expected: number, one: (typeof requests)[number]) => {
    const before = clock.rounds();
    const { status } = await request(query, one);
    if (status !== expected) throw new Error(`${one.routeKey} responded ${status}.`);
    rounds.set(name, clock.rounds() - before);
  };
  for (const one of requests) await measure(one.routeKey, 200, one);
  const routeKey = 'GET /orders/{order_id}';
  await measure(`${routeKey} of an unknown order`, 404, {
    routeKey,
    pathParameters: { order_id: 'unknown' },
  });
  await tables.close();
  return rounds;
}
