import { describe, expect, it } from 'vitest';
import * as limits from '../lambdas/contract/limits.ts';
import { createOrderFeed } from '../lambdas/order-feed/order-feed.ts';
import type { FeedEntry } from '../lambdas/order-feed/order-status-changed.ts';
import { streamEvent, streamRecord, type WrittenOrder } from './doubles/stream-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

const paid = (eventId: string, { tx = 'T', amount = '100.00' } = {}): string =>
  JSON.stringify(['event.1', eventId, 'transaction.paid', tx, amount, 'USD', null]);
const disputed = JSON.stringify(['event.1', 'evt-d', 'transaction.disputed', 'T', null, null, null]);

/** A record of a new order, named like its place in the stream. */
const newOrder = (sequenceNumber: string): WrittenOrder => ({
  orderId: `order-${sequenceNumber}`,
  after: [paid(`evt-${sequenceNumber}`)],
  sequenceNumber,
});

type Refuse = (entry: FeedEntry, call: number) => string | undefined;

/** The feed over a bus that keeps what it took, per request; a refusal named `throws` fails the request. */
function feedOver(refuse: Refuse = () => undefined) {
  const requests: FeedEntry[][] = [];
  const pauses: number[] = [];
  const telemetry = recordTelemetry();
  const handle = createOrderFeed({
    bus: {
      async put(entries) {
        requests.push([...entries]);
        const reasons = entries.map((entry) => refuse(entry, requests.length));
        if (reasons.includes('throws')) throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
        return reasons;
      },
    },
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    telemetry,
  });
  const ordersOf = (): string[][] => requests.map((entries) => entries.map(({ change }) => change.order_id));
  return { handle, requests, ordersOf, pauses, telemetry };
}

describe('the feed', () => {
  it('publishes what a write changed, as the order stood at that time', async () => {
    const { handle, requests } = feedOver();
    const updatedAt = '2026-11-21T10:00:00.123Z';
    expect(await handle(streamEvent({ ...newOrder('1'), updatedAt }))).toEqual({ batchItemFailures: [] });
    expect(requests).toHaveLength(1);
    const [entry] = requests.flat();
    expect(entry).toMatchObject({ source: 'payhooks', detailType: 'OrderStatusChanged' });
    expect(entry?.time).toEqual(new Date(updatedAt));
    expect(JSON.parse(entry?.detail ?? '')).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      order_id: 'order-1',
      mode: 'live',
      sequence: 1,
      previous: null,
      current: { status: 'paid', attention: [] },
      transactions: [{ id: 'T', status: 'paid', amount: '100.00', currency: 'USD', created_at: null }],
      caused_by: [{ id: 'evt-1', event_name: 'transaction.paid' }],
      updated_at: updatedAt,
    });
  });

  it('has another source for sandbox, so that no rule takes its orders for live ones', async () => {
    const { handle, requests } = feedOver();
    await handle(streamEvent({ ...newOrder('1'), mode: 'sandbox' }));
    expect(requests.flat()).toMatchObject([{ source: 'payhooks.sandbox', change: { mode: 'sandbox' } }]);
  });

  it('calls nobody for writes that change no view', async () => {
    const { handle, requests } = feedOver();
    const event = streamEvent(
      { before: [paid('a')], after: [paid('a')] },
      { before: [paid('a')], after: [paid('a'), disputed] },
    );
    event.Records.push({ ...streamRecord(newOrder('3')), eventName: 'REMOVE' });
    expect(await handle(event)).toEqual({ batchItemFailures: [] });
    expect(requests).toEqual([]);
  });

  it('writes one line for each change that it published', async () => {
    const { handle, telemetry } = feedOver();
    const second = paid('b', { tx: 'U' });
    await handle(streamEvent(newOrder('1'), { before: [paid('a')], after: [paid('a'), second] }));
    expect(telemetry.lines).toEqual([
      {
        level: 'info',
        message: 'order change published',
        fields: expect.objectContaining({
          mode: 'live',
          order_id: 'order-1',
          sequence: 1,
          previous_status: null,
          order_status: 'paid',
          dedupe_id: '706daf569be0a8a6a3bd7eb8b1f7ea2d',
        }),
      },
      expect.objectContaining({
        fields: expect.objectContaining({ sequence: 2, previous_status: 'paid', order_status: 'paid' }),
      }),
    ]);
    expect(telemetry.metrics).toEqual([]);
    expect(telemetry.flushes()).toBe(1);
  });
});

describe('a request', () => {
  it('has ten entries at most', async () => {
    const { handle, ordersOf } = feedOver();
    await handle(streamEvent(...Array.from({ length: 21 }, (_, index) => newOrder(String(index)))));
    expect(ordersOf().map(({ length }) => length)).toEqual([10, 10, 1]);
  });

  it('has no more bytes than EventBridge takes', async () => {
    // Each of these orders makes an entry of about 100 KB.
    const facts = Array.from({ length: 750 }, (_, index) => paid(`evt-${index}`, { tx: `tx-${index}` }));
    const orders = ['order-1', 'order-2', 'order-3', 'order-4', 'order-5'];
    const { handle, ordersOf } = feedOver();
    await handle(streamEvent(...orders.map((orderId) => ({ orderId, after: facts }))));
    expect(ordersOf()).toEqual([['order-1', 'order-2'], ['order-3', 'order-4'], ['order-5']]);
  });
});

describe('when the bus refuses', () => {
  it('sends again only what was refused, after a pause, and counts it', async () => {
    const { handle, ordersOf, pauses, telemetry } = feedOver((entry, call) =>
      call === 1 && entry.change.order_id === 'order-2' ? 'ThrottlingException' : undefined,
    );
    const response = await handle(streamEvent(newOrder('1'), newOrder('2'), newOrder('3')));
    expect(response).toEqual({ batchItemFailures: [] });
    expect(ordersOf()).toEqual([['order-1', 'order-2', 'order-3'], ['order-2']]);
    expect(pauses).toEqual([200]);
    expect(telemetry.metrics).toEqual(['FeedEntriesRetried']);
    expect(telemetry.lines.map(({ message }) => message)).toEqual(Array(3).fill('order change published'));
  });

  it('goes back to the first failed record, when the rounds are used up', async () => {
    const { handle, ordersOf, pauses, telemetry } = feedOver((entry) =>
      ['order-30', 'order-40'].includes(entry.change.order_id) ? 'InternalFailure' : undefined,
    );
    const unchanged = { before: [paid('a')], after: [paid('a')], sequenceNumber: '20' };
    const response = await handle(
      streamEvent(newOrder('10'), unchanged, newOrder('30'), newOrder('40'), newOrder('50')),
    );
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: '30' }] });
    expect(ordersOf().slice(1)).toEqual([
      ['order-30', 'order-40'],
      ['order-30', 'order-40'],
    ]);
    expect(pauses).toEqual([200, 400, 5_000]);
    const failures = telemetry.lines.filter(({ message }) => message === 'order change not published');
    expect(failures.map(({ level }) => level)).toEqual(['error', 'error']);
    expect(failures.map(({ fields }) => fields)).toMatchObject([
      { order_id: 'order-30', sequence: 1, error_code: 'InternalFailure' },
      { order_id: 'order-40', sequence: 1, error_code: 'InternalFailure' },
    ]);
    expect(telemetry.metrics.filter((name) => name === 'FeedChangesFailed')).toHaveLength(2);
    expect(telemetry.flushes()).toBe(1);
  });

  it('takes an unanswered request for refused, as nobody knows what became of it', async () => {
    const { handle, requests, telemetry } = feedOver(() => 'throws');
    const response = await handle(streamEvent(newOrder('1'), newOrder('2')));
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(requests).toHaveLength(3);
    expect(telemetry.lines.map(({ fields }) => fields['error_code'])).toEqual([
      'TimeoutError',
      'TimeoutError',
    ]);
  });

  it('publishes the other requests of a batch all the same', async () => {
    const { handle, ordersOf } = feedOver((entry) =>
      entry.change.order_id === 'order-1' ? 'throws' : undefined,
    );
    const batch = Array.from({ length: 11 }, (_, index) => newOrder(String(index + 1)));
    expect(await handle(streamEvent(...batch))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(ordersOf().at(-1)).toEqual(['order-11']);
  });
});

describe('a record that cannot be read', () => {
  const newer = { before: [paid('a')], after: [paid('a'), '["event.2","b"]'], sequenceNumber: '20' };

  it('is where the stream goes on, and what stands around it is published', async () => {
    const { handle, ordersOf, pauses, telemetry } = feedOver();
    const response = await handle(streamEvent(newOrder('10'), newer, newOrder('30')));
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: '20' }] });
    expect(ordersOf()).toEqual([['order-10', 'order-30']]);
    expect(pauses).toEqual([5_000]);
    expect(telemetry.lines[0]).toEqual({
      level: 'error',
      message: 'order change not published',
      fields: {
        mode: 'live',
        order_id: 'order-1',
        sequence: 2,
        stream_sequence_number: '20',
        error_code: 'UnreadableFactError',
        error_message: expect.stringContaining('Deploy the version that wrote it'),
      },
    });
    expect(telemetry.metrics).toEqual(['FeedChangesFailed']);
  });

  it('comes before a change that was refused behind it', async () => {
    const { handle } = feedOver((entry) => (entry.change.order_id === 'order-30' ? 'throws' : undefined));
    expect(await handle(streamEvent(newer, newOrder('30')))).toEqual({
      batchItemFailures: [{ itemIdentifier: '20' }],
    });
  });

  it.each([
    ['no new image', { NewImage: undefined }],
    ['no old image, so that it would look like a new order', { OldImage: undefined }],
  ])('is one with %s', async (_, part) => {
    const record = streamRecord({ before: [paid('a')], after: [paid('a'), paid('b')], sequenceNumber: '7' });
    const { handle, requests, telemetry } = feedOver();
    const response = await handle({ Records: [{ ...record, dynamodb: { ...record.dynamodb, ...part } }] });
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] });
    expect(requests).toEqual([]);
    expect(telemetry.lines[0]?.fields['error_code']).toBe('UnreadableRecordError');
  });

  it.each([
    ['mode', { S: 'test' }],
    ['order_id', { N: '7' }],
    ['updated_at', { S: 'yesterday' }],
  ])('is one whose row has a strange %s', async (attribute, value) => {
    const record = streamRecord(newOrder('7'));
    Object.assign(record.dynamodb?.NewImage ?? {}, { [attribute]: value });
    const { handle, telemetry } = feedOver();
    expect(await handle({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] });
    expect(telemetry.lines[0]?.fields['error_message']).toContain(attribute);
  });

  it.each([undefined, ''])('fails the whole batch when it has no name to go back to: %j', async (name) => {
    const record = streamRecord(newer);
    const { handle, telemetry } = feedOver();
    await expect(
      handle({ Records: [{ ...record, dynamodb: { ...record.dynamodb, SequenceNumber: name } }] }),
    ).rejects.toThrow('the whole batch');
    expect(telemetry.flushes()).toBe(1);
  });
});

describe('the bounds of the feed', () => {
  const callSecondsMax =
    (limits.sdkAttemptsMax * (limits.connectTimeoutMilliseconds + limits.requestTimeoutMilliseconds)) / 1000;

  it('end a batch of one request before Lambda does, with every attempt used up', () => {
    const pausesSeconds = (200 + 400 + limits.orderFeedFailurePauseMilliseconds) / 1000;
    expect(limits.putEventsRoundsMax * callSecondsMax + pausesSeconds).toBeLessThan(
      limits.orderFeedTimeoutSeconds,
    );
    expect(limits.orderFeedBatchRecordsMax).toBeLessThanOrEqual(limits.putEventsEntriesMax);
  });

  it('give up on a record by its age, while the stream still holds it for half a day, and not by a count', () => {
    const retriesSeconds = (limits.orderFeedRetriesMax * limits.orderFeedFailurePauseMilliseconds) / 1000;
    expect(retriesSeconds).toBeGreaterThan(limits.orderFeedRecordAgeSecondsMax);
    expect(limits.orderFeedRecordAgeSecondsMax).toBeLessThanOrEqual(12 * 60 * 60);
    expect(limits.orderFeedRetriesMax).toBeLessThanOrEqual(10_000);
  });

  it('ring long before a record is given up', () => {
    expect(limits.orderFeedAgeAlarmSeconds).toBeLessThan(limits.orderFeedRecordAgeSecondsMax / 4);
  });
});
