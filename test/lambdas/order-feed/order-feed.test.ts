import { describe, expect, it } from 'vitest';
import { entryBytes } from '../../../lambdas/order-feed/order-status-changed.ts';
import { fact, paid } from '../../doubles/facts.ts';
import { rowsAfter, setUpFeed, streamRecord, type WrittenOrder } from '../../doubles/stream-event.ts';

/** A write that created an order, with ids that end in its sequence number. */
const newOrder = (sequenceNumber: number): WrittenOrder => ({
  orderId: `order-${sequenceNumber}`,
  after: [paid(`evt-${sequenceNumber}`)],
  sequenceNumber: String(sequenceNumber),
});
const newOrders = (count: number): WrittenOrder[] =>
  Array.from({ length: count }, (_, index) => newOrder(index + 1));
const unreadable = { before: [paid('a')], after: [paid('a'), paid('b')], sequence: 0, sequenceNumber: '20' };
const unchanged = { before: [paid('a')], after: [paid('a')], sequenceNumber: '15' };

const published = { batchItemFailures: [] };
const retryFrom = (itemIdentifier: string) => ({ batchItemFailures: [{ itemIdentifier }] });

/** The feed over a bus that refuses each of these orders in so many requests. */
function setUpRefusing(refusals: Readonly<Record<string, number>>) {
  const feed = setUpFeed({
    put: (entries) =>
      entries.map(({ change }) =>
        feed.requests.length > (refusals[change.order_id] ?? 0) ? undefined : 'InternalFailure',
      ),
  });
  return { ...feed, orderIds: () => feed.requests.map((all) => all.map(({ change }) => change.order_id)) };
}

describe('publishOrderChanges', () => {
  it('publishes the state of an order after a write, and logs one line', async () => {
    const { publish, requests, telemetry } = setUpFeed({ sequenceBase: 1_000_000_000 });
    const updatedAt = '2026-11-21T10:00:00.123Z';
    expect(await publish({ ...newOrder(1), sequence: 7, updatedAt })).toEqual(published);
    const [[entry] = []] = requests;
    expect(requests).toEqual([[entry]]);
    expect(entry).toMatchObject({ source: 'payhooks', detailType: 'OrderStatusChanged' });
    expect(entry?.time).toEqual(new Date(updatedAt));
    expect(JSON.parse(entry?.detail ?? '')).toEqual(entry?.change);
    const { id, current, ...change } = entry?.change ?? expect.unreachable();
    expect(change).toMatchObject({ order_id: 'order-1', sequence: 1_000_000_007, updated_at: updatedAt });
    const fields = { mode: 'live', order_id: 'order-1', sequence: 1_000_000_007, dedupe_id: id };
    const states = { previous_status: null, order_status: current.status };
    expect(telemetry.lines).toEqual([
      { level: 'info', message: 'order change published', fields: { ...fields, ...states } },
    ]);
    expect([telemetry.metrics, telemetry.flushes()]).toEqual([[], 1]);
  });

  it('publishes orders of sandbox and heartbeat where no rule for live orders matches', async () => {
    const { publish, requests, telemetry } = setUpFeed();
    for (const mode of ['sandbox', 'heartbeat'] as const) await publish({ ...newOrder(1), mode });
    expect(requests.flat()).toMatchObject([
      { source: 'payhooks.sandbox', detailType: 'OrderStatusChanged', change: { mode: 'sandbox' } },
      { source: 'payhooks.heartbeat', detailType: 'Heartbeat', change: { mode: 'heartbeat' } },
    ]);
    // Which proves that the log is alive.
    expect(telemetry.lines.map(({ level }) => level)).toEqual(['info', 'notice']);
  });

  it('publishes an unchanged order again when an operator requests it, once for each request', async () => {
    const { publish, requests } = setUpFeed();
    await publish({ ...unchanged, published: 'r-1' });
    await publish({ ...unchanged, published: 'r-1', publishedBefore: 'r-1' });
    await publish({ ...unchanged, published: 'r-2', publishedBefore: 'r-1', sequence: 3 });
    expect(requests.flat().map(({ change }) => change.sequence)).toEqual([2, 3]);
  });

  it('sends no request for writes that change no view, nor for a deleted row', async () => {
    const { publishRecords, requests } = setUpFeed();
    const history = { before: [paid('a')], after: [paid('a'), fact('b', 'updated')] };
    const removed = { ...streamRecord(newOrder(3)), eventName: 'REMOVE' as const };
    const records = [streamRecord(unchanged), streamRecord(history), removed];
    expect([await publishRecords(...records), requests]).toEqual([published, []]);
  });

  it('puts at most 10 entries and 250 KiB into one request', async () => {
    const { publish, requests } = setUpFeed();
    await publish(...newOrders(21));
    const [{ length: first }, second, third] = requests as [unknown[], unknown[], unknown[]];
    expect([first, second.length, third.length]).toEqual([10, 10, 1]);
    // One more byte than the half, in two orders of three.
    const empty = entryBytes(requests[0]?.[0] ?? expect.unreachable()) - 'order-1'.length;
    const sized = (bytes: number, n: number) => ({
      ...newOrder(1),
      orderId: `${n}`.padEnd(bytes - empty, 'x'),
    });
    requests.length = 0;
    await publish(...[128_000, 128_000, 128_000, 128_001].map(sized));
    expect(requests.map(({ length }) => length)).toEqual([2, 1, 1]);
  });

  it('sends only refused entries again, and returns the stream to the first one refused three times', async () => {
    const refusals = { 'order-20': 1, 'order-30': 3, 'order-40': 3 };
    const { publish, orderIds, pauses, telemetry } = setUpRefusing(refusals);
    const response = await publish(unchanged, newOrder(20), newOrder(30), newOrder(40), newOrder(50));
    expect(response).toEqual(retryFrom('30'));
    expect(orderIds().slice(1)).toEqual([Object.keys(refusals), ['order-30', 'order-40']]);
    expect(pauses).toEqual([200, 400, 5_000]);
    const failures = telemetry.lines.filter(({ message }) => message === 'order change not published');
    expect(telemetry.lines).toHaveLength(4);
    expect(failures).toMatchObject([
      { level: 'error', fields: { order_id: 'order-30', sequence: 1, error_code: 'InternalFailure' } },
      { level: 'error', fields: { order_id: 'order-40', sequence: 1, error_code: 'InternalFailure' } },
    ]);
    expect(telemetry.flushes()).toBe(1);
  });

  it.each([
    [Object.assign(new Error('no response'), { name: 'TimeoutError' }), 'TimeoutError'],
    ['no error', 'unknown'],
  ])('retries a request that failed with %s: its entries may not be on the bus', async (error, code) => {
    const put = () => {
      throw error;
    };
    const { publish, requests, telemetry } = setUpFeed({ put });
    expect(await publish(...newOrders(2))).toEqual(retryFrom('1'));
    expect(requests).toHaveLength(3);
    expect(telemetry.lines.map(({ fields }) => fields['error_code'])).toEqual([code, code]);
  });

  it('returns the stream to an unreadable record, and publishes the records around it', async () => {
    const { publish, orderIds, pauses, telemetry } = setUpRefusing({});
    expect(await publish(newOrder(10), unreadable, newOrder(30))).toEqual(retryFrom('20'));
    expect(orderIds()).toEqual([['order-10', 'order-30']]);
    expect(pauses).toEqual([5_000]);
    expect(telemetry.lines[0]).toEqual({
      level: 'error',
      message: 'order change not published',
      fields: {
        mode: 'live',
        order_id: 'order-1',
        stream_sequence_number: '20',
        error_code: 'UnreadableRecordError',
        error_message:
          'A record of the stream of orders cannot be read at NewImage.sequence.N: ' +
          'Expected a whole number above zero.',
      },
    });
  });

  it('returns the stream to the first record while the rows of orders cannot be read', async () => {
    const getAll = () => Promise.reject(new TypeError('no response'));
    const { publish, requests, telemetry } = setUpFeed({ getAll });
    expect([await publish(...newOrders(2)), requests]).toEqual([retryFrom('1'), []]);
    const failed = { message: 'order change not published', fields: { error_code: 'TypeError' } };
    expect(telemetry.lines).toMatchObject([failed, failed]);
  });

  const { dynamodb } = streamRecord({ before: [paid('a')], after: [paid('a'), paid('b')] });
  const withNew = (attribute: object) => ({ NewImage: { ...dynamodb?.NewImage, ...attribute } });
  it.each([
    ['NewImage: ', { NewImage: undefined }],
    // Without it a change would look like a new order.
    ['OldImage: ', { OldImage: undefined }],
    ['NewImage.order_key.S: Expected a mode', withNew({ order_key: { S: 'test:order:7' } })],
    ['NewImage.sequence.N: Expected a whole', withNew({ sequence: { N: '1.5' } })],
    ['NewImage.updated_at.S: Expected a time', withNew({ updated_at: { S: 'yesterday' } })],
    ['NewImage.facts.SS: ', withNew({ facts: { S: 'x' } })],
  ])('retries a record that cannot be read at %s', async (part, images) => {
    const { publishRecords, requests, telemetry } = setUpFeed();
    const record = { eventName: 'MODIFY' as const, dynamodb: { ...dynamodb, ...images } };
    expect([await publishRecords(record), requests]).toEqual([retryFrom('100'), []]);
    const error_message = expect.stringContaining(`cannot be read at ${part}`);
    expect(telemetry.lines[0]?.fields).toMatchObject({ error_code: 'UnreadableRecordError', error_message });
  });

  it.each([{}, { dynamodb: { ...dynamodb, ...withNew({ sequence: {} }), SequenceNumber: '' } }])(
    'fails the batch when a failed record has no sequence number: %j',
    async (record) => {
      const { publishRecords, telemetry } = setUpFeed();
      await expect(publishRecords({ eventName: 'MODIFY', ...record })).rejects.toThrow('whole batch');
      expect(telemetry.lines).toMatchObject([{ fields: { error_code: 'UnreadableRecordError' } }]);
      expect(telemetry.flushes()).toBe(1);
    },
  );
});

describe('the lag of a change', () => {
  /** A write with the time stamp 10:00:00, committed this many seconds later. */
  const committedAfter = (seconds: number, more: Partial<WrittenOrder> = {}) => ({
    after: [paid('evt-1')],
    committedAt: 1_795_255_200 + seconds,
    ...more,
  });
  const lagOf = (value: number) => ({ metric: 'ChangeLag', value, unit: 'Seconds' });

  it('is emitted from a third of the bound on, as the longest time that it can have been', async () => {
    const { publish, telemetry } = setUpFeed();
    await publish(committedAfter(9), committedAfter(20));
    expect(telemetry.measured).toEqual([lagOf(10), lagOf(21)]);
    expect(telemetry.lines[0]).toEqual({
      level: 'warn',
      message: 'order change committed late',
      fields: { mode: 'live', order_id: 'order-1', updated_at: '2026-11-21T10:00:00.000Z', lag_seconds: 10 },
    });
  });

  it('is not emitted below that, for a clock that is ahead, nor when the time stamp stays', async () => {
    const { publish, telemetry } = setUpFeed();
    const same = { before: [paid('evt-1')], updatedBefore: '2026-11-21T10:00:00.000Z' };
    await publish(committedAfter(8), committedAfter(-60), committedAfter(86_400, same));
    expect(telemetry.measured).toEqual([]);
  });

  it('is not measured without the time of the commit, and is without a former time stamp', async () => {
    const { publishRecords, telemetry } = setUpFeed();
    const { dynamodb = {}, ...record } = streamRecord(committedAfter(20, { before: [paid('a')] }));
    const { updated_at: _, ...OldImage } = dynamodb.OldImage ?? {};
    const { ApproximateCreationDateTime: __, ...timeless } = dynamodb;
    const records = [timeless, { ...dynamodb, OldImage }].map((part) => ({ ...record, dynamodb: part }));
    expect(await publishRecords(...records)).toEqual(published);
    expect(telemetry.measured).toEqual([lagOf(21)]);
  });
});

describe('a record that the stream never had', () => {
  const row = streamRecord({ before: [paid('a')], after: [paid('a'), paid('b')], sequence: 5 });

  it.each([
    ['of an order without a row', { orderId: 'nobody', after: [paid('a')] }, 'no_such_order'],
    ['with a later sequence than the row', { before: [], after: [], sequence: 6 }, 'not_what_the_row_says'],
    [
      'with other facts than the row',
      { before: [], after: [paid('a')], sequence: 5 },
      'not_what_the_row_says',
    ],
  ])('%s is not published, is not sent again and fires an alarm', async (_, forged, reason) => {
    const { publish, requests, telemetry } = setUpFeed({ getAll: async () => rowsAfter([row]) });
    expect([await publish(forged), requests]).toEqual([published, []]);
    expect(telemetry.metrics).toEqual(['ForgeriesFound']);
    const { orderId: order_id = 'order-1', sequence = 1 } = forged as WrittenOrder;
    expect(telemetry.lines).toMatchObject([
      { level: 'error', message: 'invocation forged', fields: { reason, mode: 'live', order_id, sequence } },
    ]);
  });
});
