import { describe, expect, it, vi } from 'vitest';
import { createOrderFeed } from '../../../lambdas/order-feed/order-feed.ts';
import type { FeedEntry } from '../../../lambdas/order-feed/order-status-changed.ts';
import { fact, paid } from '../../doubles/facts.ts';
import { streamEvent, streamRecord, type WrittenOrder } from '../../doubles/stream-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

/** A write that created an order, with ids that end in its sequence number. */
const newOrder = (sequenceNumber: number): WrittenOrder => ({
  orderId: `order-${sequenceNumber}`,
  after: [paid(`evt-${sequenceNumber}`)],
  sequenceNumber: String(sequenceNumber),
});
const newOrders = (count: number): WrittenOrder[] =>
  Array.from({ length: count }, (_, index) => newOrder(index + 1));
const unreadable = { before: [paid('a')], after: [paid('a'), paid('b')], sequence: 0, sequenceNumber: '20' };

const published = { batchItemFailures: [] };
const retryFrom = (itemIdentifier: string) => ({ batchItemFailures: [{ itemIdentifier }] });

/**
 * The feed over a bus that refuses these orders in its first requests: with an error code, or, where it is
 * `throws`, with an error of the whole request.
 */
function setUp(
  refused: Readonly<Record<string, string>> = {},
  { refusals = Number.POSITIVE_INFINITY, sequenceBase = 0 } = {},
) {
  const requests: FeedEntry[][] = [];
  const pause = vi.fn(async (_: number) => {});
  const telemetry = recordTelemetry();
  const publishOrderChanges = createOrderFeed({
    bus: {
      async put(entries) {
        const errors = requests.push([...entries]) > refusals ? {} : refused;
        const codes = entries.map(({ change }) => errors[change.order_id]);
        if (codes.includes('throws')) throw Object.assign(new Error('no response'), { name: 'TimeoutError' });
        return codes;
      },
    },
    pause,
    sequenceBase,
    telemetry,
  });
  const publish = (...written: WrittenOrder[]) => publishOrderChanges(streamEvent(...written));
  const orderIds = (): string[][] => requests.map((entries) => entries.map(({ change }) => change.order_id));
  const pauses = () => pause.mock.calls.flat();
  return { publishOrderChanges, publish, requests, orderIds, pauses, telemetry };
}

describe('publishOrderChanges', () => {
  it('publishes the state of an order after a write', async () => {
    const { publish, requests } = setUp();
    const updatedAt = '2026-11-21T10:00:00.123Z';
    expect(await publish({ ...newOrder(1), updatedAt })).toEqual(published);
    const [[entry] = []] = requests;
    expect(requests).toEqual([[entry]]);
    expect(entry).toMatchObject({ source: 'payhooks', detailType: 'OrderStatusChanged' });
    expect(entry?.time).toEqual(new Date(updatedAt));
    expect(JSON.parse(entry?.detail ?? '')).toEqual(entry?.change);
    expect(entry?.change).toMatchObject({
      id: '706daf569be0a8a6a3bd7eb8b1f7ea2d',
      order_id: 'order-1',
      current: { status: 'paid' },
      updated_at: updatedAt,
    });
  });

  it('publishes orders of sandbox and heartbeat where no rule for live orders matches', async () => {
    const { publish, requests, telemetry } = setUp();
    for (const mode of ['sandbox', 'heartbeat'] as const) await publish({ ...newOrder(1), mode });
    expect(requests.flat()).toMatchObject([
      { source: 'payhooks.sandbox', detailType: 'OrderStatusChanged', change: { mode: 'sandbox' } },
      { source: 'payhooks.heartbeat', detailType: 'Heartbeat', change: { mode: 'heartbeat' } },
    ]);
    // Which proves that the log is alive.
    expect(telemetry.lines.map(({ level }) => level)).toEqual(['info', 'notice']);
  });

  it('logs that the transactions of an order do not fit into its event', async () => {
    const { publish, telemetry } = setUp();
    const after = Array.from({ length: 3_000 }, (_, n) => paid(`evt-${n}`, { transactionId: `tx-${n}` }));
    await publish({ ...newOrder(1), after }, newOrder(2));
    const leftOut = telemetry.lines.map(({ fields }) => fields['transactions_left_out']);
    expect(leftOut).toEqual([true, undefined]);
  });

  it('publishes an order whose facts have all left, and one that had none', async () => {
    const { publish, requests } = setUp();
    const facts = [paid('a')];
    await publish({ before: facts, after: [] }, { before: [], after: facts, sequence: 3 });
    expect(requests.flat().map(({ change }) => [change.previous?.status, change.current.status])).toEqual([
      ['paid', 'pending'],
      ['pending', 'paid'],
    ]);
  });

  it('publishes the sequence of the row and the base that a restore has set', async () => {
    const { publish, requests } = setUp({}, { sequenceBase: 1_000_000_000 });
    await publish({ ...newOrder(1), sequence: 7 });
    expect(requests.flat()).toMatchObject([{ change: { sequence: 1_000_000_007 } }]);
  });

  it('publishes an unchanged order again when an operator requests it, once for each request', async () => {
    const { publish, requests } = setUp();
    const order = { before: [paid('a')], after: [paid('a')] };
    await publish(
      { ...order, published: 'r-1' },
      { ...order, published: 'r-1', publishedBefore: 'r-1' },
      { ...order, published: 'r-2', publishedBefore: 'r-1', sequence: 3 },
    );
    expect(requests.flat().map(({ change }) => change.sequence)).toEqual([2, 3]);
  });

  it('sends no request for writes that change no view, nor for a deleted row', async () => {
    const { publishOrderChanges, requests } = setUp();
    const event = streamEvent(
      { before: [paid('a')], after: [paid('a')] },
      { before: [paid('a')], after: [paid('a'), fact('b', 'updated')] },
    );
    event.Records.push({ ...streamRecord(newOrder(3)), eventName: 'REMOVE' });
    expect(await publishOrderChanges(event)).toEqual(published);
    expect(requests).toEqual([]);
  });

  it('logs one line for each published change', async () => {
    const { publish, telemetry } = setUp();
    const second = paid('b', { transactionId: 'U' });
    await publish(newOrder(1), { before: [paid('a')], after: [paid('a'), second] });
    expect(telemetry.lines).toMatchObject([
      {
        level: 'info',
        message: 'order change published',
        fields: {
          mode: 'live',
          order_id: 'order-1',
          sequence: 1,
          previous_status: null,
          order_status: 'paid',
          dedupe_id: '706daf569be0a8a6a3bd7eb8b1f7ea2d',
        },
      },
      { fields: { sequence: 2, previous_status: 'paid', order_status: 'paid' } },
    ]);
    expect(telemetry.metrics).toEqual([]);
    expect(telemetry.flushes()).toBe(1);
  });

  it('puts at most 10 entries into one request', async () => {
    const { publish, orderIds } = setUp();
    await publish(...newOrders(21));
    expect(orderIds().map(({ length }) => length)).toEqual([10, 10, 1]);
  });

  it('sends only a refused entry again, after a pause, and counts the retry', async () => {
    const { publish, orderIds, pauses, telemetry } = setUp(
      { 'order-2': 'ThrottlingException' },
      { refusals: 1 },
    );
    expect(await publish(...newOrders(3))).toEqual(published);
    expect(orderIds()).toEqual([['order-1', 'order-2', 'order-3'], ['order-2']]);
    expect(pauses()).toEqual([200]);
    expect(telemetry.metrics).toEqual(['FeedEntriesRetried']);
    expect(telemetry.lines.map(({ message }) => message)).toEqual(Array(3).fill('order change published'));
  });

  it('returns the stream to the first change that was refused three times', async () => {
    const code = 'InternalFailure';
    const { publish, orderIds, pauses, telemetry } = setUp({ 'order-30': code, 'order-40': code });
    const unchanged = { before: [paid('a')], after: [paid('a')], sequenceNumber: '20' };
    const response = await publish(newOrder(10), unchanged, newOrder(30), newOrder(40), newOrder(50));
    expect(response).toEqual(retryFrom('30'));
    expect(orderIds().slice(1)).toEqual(Array(2).fill(['order-30', 'order-40']));
    expect(pauses()).toEqual([200, 400, 5_000]);
    const failures = telemetry.lines.filter(({ message }) => message === 'order change not published');
    expect(failures).toMatchObject([
      { level: 'error', fields: { order_id: 'order-30', sequence: 1, error_code: 'InternalFailure' } },
      { level: 'error', fields: { order_id: 'order-40', sequence: 1, error_code: 'InternalFailure' } },
    ]);
    expect(telemetry.metrics.filter((name) => name === 'FeedChangesFailed')).toHaveLength(2);
    expect(telemetry.flushes()).toBe(1);
  });

  it('retries a request without a response, because its entries may not be on the bus', async () => {
    const { publish, requests, telemetry } = setUp({ 'order-1': 'throws' });
    expect(await publish(...newOrders(2))).toEqual(retryFrom('1'));
    expect(requests).toHaveLength(3);
    const codes = telemetry.lines.map(({ fields }) => fields['error_code']);
    expect(codes).toEqual(['TimeoutError', 'TimeoutError']);
  });

  it('returns the stream to an unreadable record, and publishes the records around it', async () => {
    const { publish, orderIds, pauses, telemetry } = setUp();
    expect(await publish(newOrder(10), unreadable, newOrder(30))).toEqual(retryFrom('20'));
    expect(orderIds()).toEqual([['order-10', 'order-30']]);
    expect(pauses()).toEqual([5_000]);
    expect(telemetry.lines[0]).toEqual({
      level: 'error',
      message: 'order change not published',
      fields: {
        mode: 'live',
        order_id: 'order-1',
        stream_sequence_number: '20',
        error_code: 'UnreadableRecordError',
        error_message:
          'A record of the stream of orders has no usable sequence; expected a whole number above zero.',
      },
    });
    expect(telemetry.metrics).toEqual(['FeedChangesFailed']);
  });

  const { dynamodb } = streamRecord({ before: [paid('a')], after: [paid('a'), paid('b')] });
  const withNew = (attribute: object) => ({ NewImage: { ...dynamodb?.NewImage, ...attribute } });
  const [key, images] = ['a mode, ":order:" and an id', 'a stream of new and old images'];
  const sequence = 'a whole number above zero';
  it.each([
    ['NewImage', images, { NewImage: undefined }],
    // Without it a change would look like a new order.
    ['OldImage', images, { OldImage: undefined }],
    ['order_key', key, withNew({ order_key: { S: 'test:order:7' } })],
    ['order_key', 'a string', withNew({ order_key: { N: '7' } })],
    ['order_key', 'a string', { NewImage: {} }],
    ['sequence', sequence, withNew({ sequence: { S: '7' } })],
    ['sequence', sequence, withNew({ sequence: { N: '1.5' } })],
    ['updated_at', 'a time', withNew({ updated_at: { S: 'yesterday' }, facts: { S: 'x' } })],
  ])('retries a record with a missing or wrong %s (expected: %s)', async (part, expected, images) => {
    const { publishOrderChanges, requests, telemetry } = setUp();
    const Records = [{ eventName: 'MODIFY' as const, dynamodb: { ...dynamodb, ...images } }];
    expect(await publishOrderChanges({ Records })).toEqual(retryFrom('100'));
    expect(requests).toEqual([]);
    expect(telemetry.lines[0]?.fields).toMatchObject({
      error_code: 'UnreadableRecordError',
      error_message: `A record of the stream of orders has no usable ${part}; expected ${expected}.`,
    });
  });

  it('fails the batch for a record without any content', async () => {
    const { publishOrderChanges, telemetry } = setUp();
    await expect(publishOrderChanges({ Records: [{ eventName: 'MODIFY' }] })).rejects.toThrow('whole batch');
    expect(telemetry.lines).toMatchObject([{ fields: { error_code: 'UnreadableRecordError' } }]);
  });

  it.each([undefined, ''])(
    'fails the batch when a failed record has the sequence number %j',
    async (name) => {
      const record = streamRecord(unreadable);
      const { publishOrderChanges, telemetry } = setUp();
      const Records = [{ ...record, dynamodb: { ...record.dynamodb, SequenceNumber: name } }];
      await expect(publishOrderChanges({ Records })).rejects.toThrow('the whole batch');
      expect(telemetry.flushes()).toBe(1);
    },
  );
});
