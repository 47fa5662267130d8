import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTables } from '../lambdas/aws/tables.ts';
import { waitingKinds } from '../lambdas/contract/waiting-kinds.ts';
import { createOrderFeed } from '../lambdas/order-feed/order-feed.ts';
import type { FeedEntry } from '../lambdas/order-feed/order-status-changed.ts';
import { consumerOver } from './doubles/consumer.ts';
import { paid } from './doubles/facts.ts';
import { type LocalTables, openTables, startTables } from './doubles/local-tables.ts';
import { sqsEvent } from './doubles/sqs-event.ts';
import { streamEvent, streamRecord } from './doubles/stream-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

const body = bytesOf(paidEvent({ seed: 'hb', eventId: 'hb-1', orderId: 'hb-order', sandbox: true }));
const modes = ['live', 'sandbox'] as const;
const daySeconds = 24 * 60 * 60;

describe('a heartbeat in the tables', () => {
  let tables: LocalTables;
  let failures: readonly unknown[];

  beforeEach(async () => {
    tables = await startTables();
    const consume = consumerOver(openTables(tables.client).store, {
      eventRetentionDays: 30,
      now: () => new Date(),
    });
    const heartbeat = { body, mode: 'heartbeat' } as const;
    failures = (await consume(sqsEvent(heartbeat, heartbeat))).batchItemFailures;
  });
  afterEach(() => tables.close());

  const rowsOf = async (TableName: string) =>
    (await tables.client.send(new ScanCommand({ TableName }))).Items ?? [];

  it('has an event, a transaction and an order under keys of its own mode, and no other row', async () => {
    const [events, orders] = await Promise.all([rowsOf('events'), rowsOf('orders')]);
    expect(failures).toEqual([]);
    expect(events.map((row) => [row['event_key']?.S?.split(':').slice(0, 2), row['record']?.S])).toEqual(
      expect.arrayContaining([
        [['heartbeat', 'event'], 'event'],
        [['heartbeat', 'transaction'], 'transaction'],
      ]),
    );
    expect(events).toHaveLength(2);
    expect(orders.map((row) => row['order_key']?.S)).toEqual(['heartbeat:order:hb-order']);
  });

  it('expires from each row within a day, whatever the retention of bodies is', async () => {
    const rows = [...(await rowsOf('events')), ...(await rowsOf('orders'))];
    const expiries = rows.map((row) => Number(row['expires_at']?.N) - Date.now() / 1000);
    expect(expiries).toHaveLength(3);
    for (const seconds of expiries) expect(Math.abs(seconds - daySeconds)).toBeLessThan(60);
  });

  it.each(modes)('is in no list, index, count or scan of %s', async (mode) => {
    const { client } = tables;
    const ports = createTables(client, { events: 'events', orders: 'orders' });
    const { changes, waiting, eventScan, orderScan, keyUses } = ports;
    const begin = { updatedAt: '2026-01-01T00:00:00.000Z', tie: '' };
    const end = { updatedAt: '2999-01-01T00:00:00.000Z', tie: '' };
    expect(await changes.after(mode, begin, 10)).toEqual({ changes: [], more: false });
    expect(await changes.before(mode, end, 10)).toEqual({ changes: [], more: false });
    expect((await eventScan.page({ mode })).events).toEqual([]);
    expect((await orderScan.page({ mode })).orders).toEqual([]);
    expect(await keyUses.keyUses(mode)).toEqual([]);
    for (const kind of waitingKinds) expect(await waiting.count(mode, kind)).toBe(0);
  });

  it('leaves the row of a payment without an expiry', async () => {
    const consume = consumerOver(openTables(tables.client).store);
    const { batchItemFailures } = await consume(sqsEvent({ body, mode: 'sandbox' }));
    expect(batchItemFailures).toEqual([]);
    const rows = [...(await rowsOf('events')), ...(await rowsOf('orders'))];
    const sandbox = rows.filter((row) => (row['event_key'] ?? row['order_key'])?.S?.startsWith('sandbox:'));
    expect(sandbox.length).toBeGreaterThanOrEqual(3);
    for (const row of sandbox) expect(row['expires_at']).toBeUndefined();
  });
});

/** The feed over a bus that accepts everything, and what it put there. */
function setUpFeed() {
  const entries: FeedEntry[] = [];
  const telemetry = recordTelemetry();
  const feed = createOrderFeed({
    bus: {
      async put(put) {
        entries.push(...put);
        return put.map(() => undefined);
      },
    },
    pause: async () => {},
    changesSettleSeconds: 30,
    sequenceBase: 0,
    telemetry,
  });
  return { feed, entries, telemetry };
}

describe('the feed', () => {
  it('publishes a heartbeat under a source and a detail type that no order system matches', async () => {
    const { feed, entries } = setUpFeed();
    const response = await feed(
      streamEvent({ orderId: 'hb-order', mode: 'heartbeat', after: [paid('a')] }, { after: [paid('b')] }),
    );
    expect(response).toEqual({ batchItemFailures: [] });
    expect(entries.map(({ source, detailType }) => [source, detailType])).toEqual([
      ['payhooks.heartbeat', 'Heartbeat'],
      ['payhooks', 'OrderStatusChanged'],
    ]);
  });

  it('does nothing when the row of a heartbeat expires', async () => {
    const { feed, entries, telemetry } = setUpFeed();
    const { dynamodb, ...record } = streamRecord({
      mode: 'heartbeat',
      before: [paid('a')],
      after: [paid('a')],
    });
    const { NewImage: _, ...removed } = dynamodb ?? {};
    const identity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
    const expired = { ...record, eventName: 'REMOVE' as const, userIdentity: identity, dynamodb: removed };
    expect(await feed({ Records: [expired] })).toEqual({ batchItemFailures: [] });
    expect(entries).toEqual([]);
    expect(telemetry.lines).toEqual([]);
    expect(telemetry.metrics).toEqual([]);
  });
});
