import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { afterAll, describe, expect, it } from 'vitest';
import type { Mode } from '../../lambdas/domain/signature.ts';
import { createOrderFeed } from '../../lambdas/order-feed/order-feed.ts';
import type { FeedEntry } from '../../lambdas/order-feed/order-status-changed.ts';
import { reserialised, withoutOrder } from '../acceptance/odd-events.ts';
import type { Row } from '../acceptance/pipeline.ts';
import { meaningOf } from '../doubles/fold.ts';
import { streamEvent } from '../doubles/stream-event.ts';
import { recordTelemetry } from '../doubles/telemetry.ts';
import { keyOf, openRows } from './open-rows.ts';
import {
  bodyOf,
  bodyOfEvent,
  expectedResponses,
  type StoredItem,
  storedEvents,
  storedOrders,
  toItem,
} from './release-0.2.0.ts';

const [paidOrder] = storedOrders.filter((item) => item['order_key']?.S === 'live:order:paid');

/** The messages that bring every stored event once more. */
const redelivered = (events: readonly StoredItem[]) =>
  events.map((item) => ({ mode: item['mode']?.S as Mode, body: bodyOf(item) }));

/** What the order feed publishes about a write that found `before` and left `after`. */
async function publishedOf(before: StoredItem, after: StoredItem): Promise<FeedEntry[]> {
  const published: FeedEntry[] = [];
  const bus = {
    async put(entries: readonly FeedEntry[]) {
      published.push(...entries);
      return entries.map(() => undefined);
    },
  };
  const parts = { pause: async () => {}, changesSettleSeconds: 30, meaningOf, telemetry: recordTelemetry() };
  const handle = createOrderFeed({ bus, ...parts });
  const facts = (item: StoredItem): string[] => [...(item['facts']?.SS ?? [])];
  const orderId = String(after['order_id']?.S);
  await handle(streamEvent({ orderId, before: facts(before), after: facts(after) }));
  return published;
}

const closings: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closings.map((close) => close())));
let untouched: ReturnType<typeof openRows> | undefined;
/** The rows for all that only read them. */
const openToRead = () => (untouched ??= openRows({ closeAfter: (close) => void closings.push(close) }));

describe('over the rows that 0.2.0 wrote', () => {
  it('the stored rows hold every kind of record, deflated and plain', () => {
    const values = (name: string) => new Set(storedEvents.map((item) => item[name]?.S));
    expect(values('outcome')).toEqual(
      new Set(['applied', 'conflict', 'quarantined', 'recorded', 'unrecognised']),
    );
    const reasons = ['sandbox_flag_disagrees', 'sandbox_flag_missing', 'order_id_invalid', 'order_refused'];
    expect(values('reason')).toEqual(new Set([undefined, ...reasons, 'not_json', 'not_utf8']));
    expect(values('body_encoding')).toEqual(new Set(['deflate', 'identity']));
    expect(values('mode')).toEqual(new Set(['live', 'sandbox']));
    expect(new Set(storedOrders.map((item) => item['status']?.S))).toEqual(
      new Set(['paid', 'refunded', 'partially_refunded', 'pending', 'failed']),
    );
    expect(storedEvents.filter((item) => item['expires_at'] !== undefined)).toHaveLength(3);
  });

  it.each(expectedResponses)(
    'the order query responds to $path as 0.2.0 did, or as the list of differences has it',
    async ({ path, status, body }) => {
      const { get } = await openToRead();
      expect(await get(path)).toMatchObject({ status, body });
    },
  );

  it('an event of 0.2.0 that is delivered again adds to orders only what 0.2.0 could not know', async () => {
    const { consume, events, order } = await openRows();
    // The order that refused this event is not stored: it has 400 KB.
    const sent = storedEvents.filter((item) => item['event_id']?.S !== 'evt-refused');
    expect(await consume(...redelivered(sent))).toEqual({ batchItemFailures: [] });
    for (const stored of storedOrders) {
      const key = `${stored['order_key']?.S}`;
      const { facts, ...rest } = (await order(key)) ?? {};
      const { facts: factsBefore, ...before } = stored;
      const { status: _, updated_at: __, ...changed } = before;
      const added = addedByRedelivery[key] ?? [];
      expect(new Set(facts?.SS), key).toEqual(new Set([...(factsBefore?.SS ?? []), ...added]));
      if (added.length === 0) expect(rest).toEqual(before);
      else {
        expect(rest).toMatchObject(changed);
        expect(rest).not.toHaveProperty('status');
      }
    }
    const after = await events();
    const decided = ['evt-orderless', 'evt-expiring-orderless'];
    for (const item of storedEvents) {
      if (!decided.includes(`${item['event_id']?.S}`))
        expect(after.get(keyOf(item))).toMatchObject(toItem(item));
    }
    expect(after.get('live:event:evt-orderless event')).toMatchObject({
      outcome: { S: 'applied' },
      assigned_order_id: { S: 'paid' },
    });
  });

  it('an event of 0.2.0 that is delivered again shows today what waits', async () => {
    const { consume, events } = await openRows();
    await consume(...redelivered(storedEvents));
    const waiting = [...(await events())].filter(([, row]) => row['waiting'] !== undefined);
    expect(waiting.filter(([, row]) => row['expires_at'] !== undefined)).toEqual([]);
    expect(waiting.map(([key]) => key.replace(/[0-9a-f]{64}/, '…')).sort()).toEqual([
      'live:event:evt-expiring-orderless event',
      'live:event:evt-long quarantine:…',
      'live:name:account.updated event_name',
      'live:name:transaction.settled event_name',
    ]);
  });

  it('a refund is merged into an order of 0.2.0, its old status goes, and the feed publishes that change', async () => {
    const { consume, order, get } = await openRows();
    const refund = refundedEvent({ orderId: 'paid', seed: 'paid', eventId: 'evt-refund' });
    await consume({ body: bytesOf(refund) });
    expect((await get('/orders/paid')).body).toMatchObject({
      status: 'refunded',
      attention: [],
      sequence: 2,
    });
    const row = (await order('live:order:paid')) ?? {};
    expect(row).not.toHaveProperty('status');
    const published = await publishedOf(paidOrder ?? {}, row as StoredItem);
    expect(published.map(({ detail }) => JSON.parse(detail))).toMatchObject([
      { order_id: 'paid', sequence: 2, previous: { status: 'paid' }, current: { status: 'refunded' } },
    ]);
  });

  it('a refund without an order id waits, until the payment that 0.2.0 recorded is delivered again', async () => {
    const { consume, get } = await openRows();
    await consume({
      body: withoutOrder(refundedEvent({ orderId: '', transactionId: 'txn-twice-1', eventId: 'evt-new' })),
    });
    expect((await get('/events/evt-new')).body).toMatchObject({ outcome: 'unassigned', order_id: null });
    await consume({ body: bodyOfEvent('evt-twice') });
    expect((await get('/events/evt-new')).body).toMatchObject({ outcome: 'applied', order_id: 'twice' });
    expect((await get('/orders/twice')).body).toMatchObject({ status: 'refunded', attention: [] });
  });

  it('another body under an event id of 0.2.0 is a conflict, and the same fact in other bytes is not', async () => {
    const { consume, events, get } = await openRows();
    await consume({ body: reserialised(bodyOfEvent('evt-paid')) });
    expect((await get('/orders/paid')).body).toMatchObject({ status: 'paid', attention: [], sequence: 1 });
    expect((await get('/events/evt-paid')).body).toMatchObject({
      outcome: 'applied',
      others: [{ outcome: 'duplicate' }],
    });
    await consume({ body: bytesOf(paidEvent({ orderId: 'paid', seed: 'other', eventId: 'evt-paid' })) });
    expect((await get('/orders/paid')).body).toMatchObject({
      status: 'paid',
      attention: ['conflicting_event'],
      transactions: [{ amount: '100.00' }],
    });
    const waiting = [...(await events()).values()].flatMap(({ waiting }) => waiting?.S ?? []);
    expect(waiting).toEqual(['live:conflict']);
  });

  it('a body for another order under an event id of 0.2.0 marks both orders', async () => {
    const { consume, get } = await openRows();
    await consume({ body: bytesOf(paidEvent({ orderId: 'partly', seed: 'partly', eventId: 'evt-paid' })) });
    const attention = ['conflicting_event'];
    expect((await get('/orders/paid')).body).toMatchObject({ status: 'paid', attention });
    expect((await get('/orders/partly')).body).toMatchObject({ status: 'partially_refunded', attention });
  });

  it('a judged conflict of 0.2.0 stays a conflict after the first body has expired', async () => {
    const { consume, events, expire, get } = await openRows({ eventRetentionDays: 30 });
    await expire('live:event:evt-crossed');
    const conflict = storedEvents.filter((item) => /^conflict:/.test(`${item['record']?.S}`));
    await consume(...redelivered(conflict.filter((item) => item['event_id']?.S === 'evt-crossed')));
    expect([...(await events()).keys()]).not.toContain('live:event:evt-crossed event');
    expect((await get('/orders/crossed-2')).body).toMatchObject({ status: 'pending', transactions: [] });
  });

  it('an event of 0.2.0 that has expired is recorded once more, and its order stays as it is', async () => {
    const { consume, events, expire, get } = await openRows({ eventRetentionDays: 30 });
    const { events: _, ...before } = (await get('/orders/expiring')).body;
    await expire('live:event:evt-expiring-paid');
    await consume({ body: bodyOfEvent('evt-expiring-paid') });
    expect((await get('/orders/expiring')).body).toMatchObject(before);
    const row = (await events()).get('live:event:evt-expiring-paid event');
    expect([row?.['outcome'], row?.['body'], row?.['expires_at']]).toEqual([
      { S: 'applied' },
      undefined,
      undefined,
    ]);
  });

  it('an order that 0.2.0 filled to the last byte is marked by the next event, which waits', async () => {
    const { consume, events, order, get } = await openRows({ moreOrders: [fullOrder()] });
    expect((await get('/orders/full')).body).toMatchObject({ status: 'paid', attention: [] });
    expect(await consume({ body: bodyOfEvent('evt-refused') })).toEqual({ batchItemFailures: [] });
    expect((await get('/orders/full')).body).toMatchObject({
      status: 'paid',
      attention: ['too_many_events'],
    });
    expect(await order('live:order:full')).not.toHaveProperty('status');
    expect((await events()).get('live:event:evt-refused event')).toMatchObject({
      outcome: { S: 'quarantined' },
      reason: { S: 'order_refused' },
      waiting: { S: 'live:order_refused' },
    });
  });

  it('consumes the messages that 0.2.0 left in the queue, which have no signature', async () => {
    const { consumeStored, events, get } = await openRows();
    expect(await consumeStored()).toEqual({ batchItemFailures: [] });
    expect((await get('/orders/queued')).body).toMatchObject({ status: 'paid', sequence: 1 });
    expect((await get('/orders/paid')).body).toMatchObject({ status: 'refunded', sequence: 2 });
    expect((await get('/orders/paid?mode=sandbox')).body).toMatchObject({ status: 'paid', sequence: 2 });
    const row: Row = (await events()).get('live:event:evt-queued event') ?? {};
    expect(row).toMatchObject({ outcome: { S: 'applied' } });
    expect(row).not.toHaveProperty('signature');
  });

  it('the feed publishes nothing when an order of 0.2.0 is written again unchanged', async () => {
    for (const stored of storedOrders) expect(await publishedOf(stored, stored)).toEqual([]);
  });
});

/** What a second delivery of all stored events adds to the facts of orders. */
const [createdAt, transactionOfPaid] = [
  '2026-11-02T09:15:00.000000Z',
  '911255a7-a578-47f8-8bfe-df4c91ac13c9',
];
const addedByRedelivery: Readonly<Record<string, readonly string[]>> = {
  // The refund without an order id meets the payment of its transaction.
  'live:order:paid': [
    `["event.1","evt-orderless","transaction.refunded","${transactionOfPaid}","100.00","USD","${createdAt}"]`,
  ],
  'live:order:shared-1': ['["shared.1","txn-shared"]'],
  'live:order:shared-2': ['["shared.1","txn-shared"]'],
  // The second body names the same order, which chooses between the two.
  'live:order:contested': [
    `["event.1","evt-contested","transaction.paid","txn-contested","1.00","USD","${createdAt}"]`,
  ],
};

/** An order as 0.2.0 wrote it, with 400 KB: the most that an item may have. */
function fullOrder(): StoredItem {
  const row = {
    order_key: { S: 'live:order:full' },
    status: { S: 'paid' },
    updated_at: { S: '2026-11-21T18:00:00.000Z' },
    change_shard: { S: 'live:0' },
    mode: { S: 'live' },
    order_id: { S: 'full' },
  };
  const used = Object.entries(row).reduce(
    (sum, [name, { S }]) => sum + name.length + S.length,
    'facts'.length,
  );
  const fact = (n: number, length: number): string => {
    const [start, end] = [`["event.1","evt-full-${n}","transaction.paid","T","1.00",null,"`, '"]'];
    return start + '-'.repeat(length - start.length - end.length) + end;
  };
  const left = 400 * 1024 - used;
  const facts = Array.from({ length: 100 }, (_, n) =>
    fact(n, Math.floor(left / 100) + (n < left % 100 ? 1 : 0)),
  );
  return { ...row, facts: { SS: facts } };
}
