import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { StreamPosition, StreamRecord, TableStream } from '../src/emulators/table-stream.ts';
import type { Mapping } from '../src/event-source-mapping/queue-mapping.ts';
import { startStreamMapping } from '../src/event-source-mapping/stream-mapping.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import type { StreamMappingModel } from '../src/template/model.ts';

const arrival = Date.parse('2026-11-02T09:31:02.000Z');

/** A stream of records that are named by their partition key; the sequence number is the place. */
function createStream(...keys: string[]) {
  const kept = new Map<string, StreamRecord>();
  const positions: StreamPosition[] = [];
  let tell: (position: StreamPosition) => void = () => {};
  const add = (key: string, text = ''): void => {
    const sequenceNumber = String(positions.length + 1).padStart(3, '0');
    const keyHash = key.charCodeAt(0);
    kept.set(sequenceNumber, {
      eventID: `event ${sequenceNumber}`,
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: 'stream-arn',
      dynamodb: {
        ApproximateCreationDateTime: arrival / 1000 + positions.length,
        Keys: { id: { S: key } },
        NewImage: { text: { S: text } },
        SequenceNumber: sequenceNumber,
        SizeBytes: 1,
        StreamViewType: 'NEW_IMAGE',
      },
    });
    positions.push({ sequenceNumber, keyHash });
    tell({ sequenceNumber, keyHash });
  };
  const stream: TableStream = {
    follow(onRecord) {
      tell = onRecord;
      for (const position of positions) onRecord(position);
    },
    read: async (wanted) =>
      wanted.flatMap(({ sequenceNumber }) => {
        const record = kept.get(sequenceNumber);
        return record === undefined ? [] : [record];
      }),
    remove: async (done) => {
      for (const { sequenceNumber } of done) kept.delete(sequenceNumber);
    },
  };
  for (const key of keys) add(key);
  return { stream, add, waiting: () => [...kept.keys()] };
}

const running: Mapping[] = [];
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));

type Answer = (numbers: readonly string[], keys: readonly string[]) => Invocation | Promise<Invocation>;

interface Surroundings {
  readonly now?: () => number;
  readonly discard?: (message: object) => Promise<void>;
}

function start(
  stream: TableStream,
  answer: Answer,
  changes: Partial<StreamMappingModel> = {},
  { now = () => arrival, discard }: Surroundings = {},
) {
  const batches: string[][] = [];
  const events: unknown[] = [];
  const discarded: object[] = [];
  const faults: string[] = [];
  const mapping = startStreamMapping({
    model: {
      name: 'Mapping',
      functionName: 'Worker',
      streamArn: 'stream-arn',
      batchRecordsMax: 10,
      windowSeconds: 0,
      reportsItemFailures: true,
      parallelBatches: 1,
      bisectsBatches: false,
      retriesMax: Number.POSITIVE_INFINITY,
      recordAgeSecondsMax: Number.POSITIVE_INFINITY,
      ...changes,
    },
    stream,
    functionArn: 'function-arn',
    invoke: async (event) => {
      const { Records } = event as { Records: StreamRecord[] };
      const numbers = Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
      events.push(event);
      batches.push(numbers);
      return answer(
        numbers,
        Records.map(({ dynamodb }) => String(dynamodb.Keys['id']?.['S'])),
      );
    },
    discard: discard ?? (async (message) => void discarded.push(message)),
    onFault: (sentence) => faults.push(sentence),
    now,
  });
  running.push(mapping);
  return { mapping, batches, events, discarded, faults };
}

const success: Invocation = { ok: true, payload: '{"batchItemFailures":[]}' };
const thrown: Invocation = { ok: false, errorType: 'Error', errorMessage: 'x' };
const failing = (...numbers: string[]): Invocation => ({
  ok: true,
  payload: JSON.stringify({ batchItemFailures: numbers.map((itemIdentifier) => ({ itemIdentifier })) }),
});
/** Fails at the first record that is not among `good`. */
const failingExcept =
  (good: readonly string[]): Answer =>
  (numbers) => {
    const bad = numbers.find((number) => !good.includes(number));
    return bad === undefined ? success : failing(bad);
  };

describe('a mapping of a stream', () => {
  it('hands over what waits and what comes, in batches and in order, and forgets what is handled', async () => {
    const { stream, add, waiting } = createStream('a', 'b', 'c', 'd', 'e');
    const { batches, events } = start(stream, () => success, { batchRecordsMax: 2 });
    await expect.poll(() => batches).toEqual([['001', '002'], ['003', '004'], ['005']]);
    add('f');
    await expect.poll(() => batches[3]).toEqual(['006']);
    await expect.poll(waiting).toEqual([]);
    expect(events[0]).toMatchObject({ Records: [{ eventID: 'event 001' }, { eventID: 'event 002' }] });
  });

  it('collects what arrives within its window', async () => {
    const { stream, add } = createStream('a');
    const { batches } = start(stream, () => success, { batchRecordsMax: 3, windowSeconds: 30 });
    add('b');
    await pause(50);
    expect(batches).toEqual([]);
    add('c');
    await expect.poll(() => batches).toEqual([['001', '002', '003']]);
  });

  it('hands over no more than 6 MB at a time, and one record always', async () => {
    const { stream, add } = createStream();
    for (const megabytes of [2, 3, 2, 7, 1]) add('a', 'x'.repeat(megabytes * 1024 * 1024));
    const { batches } = start(stream, () => success);
    await expect.poll(() => batches).toEqual([['001', '002'], ['003'], ['004'], ['005']]);
  });

  it('goes on from the lowest number that failed, and holds up what is behind it', async () => {
    const { stream, waiting } = createStream('a', 'b', 'c', 'd');
    let attempts = 0;
    const { batches } = start(
      stream,
      () => {
        attempts += 1;
        return attempts < 3 ? failing('003', '002') : success;
      },
      { batchRecordsMax: 3 },
    );
    await expect
      .poll(() => batches)
      .toEqual([['001', '002', '003'], ['002', '003'], ['002', '003'], ['004']]);
    expect(waiting()).toEqual([]);
  });

  it.each([
    ['fails', thrown],
    ['names a record that was not in the batch', failing('999')],
    ['names nothing', failing('')],
  ])('tries a batch again as a whole when the function %s', async (_, outcome) => {
    const { stream } = createStream('a', 'b');
    const { batches } = start(stream, () => (batches.length === 1 ? outcome : success));
    await expect
      .poll(() => batches)
      .toEqual([
        ['001', '002'],
        ['001', '002'],
      ]);
  });

  it('takes whatever does not throw for done when it does not read the answer', async () => {
    const { stream, waiting } = createStream('a');
    start(stream, () => failing('001'), { reportsItemFailures: false });
    await expect.poll(waiting).toEqual([]);
  });

  it('cuts a batch that fails as a whole in halves, which is no retry', async () => {
    const { stream, waiting } = createStream('a', 'b', 'c', 'd', 'e');
    const { batches, discarded } = start(stream, (numbers) => (numbers.includes('004') ? thrown : success), {
      bisectsBatches: true,
      retriesMax: 1,
    });
    await expect
      .poll(() => batches)
      .toEqual([
        ['001', '002', '003', '004', '005'],
        ['001', '002', '003'],
        ['004', '005'],
        ['004'],
        ['004'],
        ['005'],
      ]);
    await expect.poll(waiting).toEqual([]);
    expect(discarded).toMatchObject([{ DDBStreamBatchInfo: { startSequenceNumber: '004', batchSize: 1 } }]);
  });

  it('keeps the records of a key in order while other keys go on', async () => {
    const { stream, add } = createStream('a', 'b', 'a', 'b');
    const held = Promise.withResolvers<Invocation>();
    // Also when the test fails: a mapping stops when its batches are handled.
    running.push({ stop: async () => held.resolve(success) });
    const { batches } = start(stream, (_, keys) => (keys.includes('a') ? held.promise : success), {
      parallelBatches: 2,
    });
    const of = (...numbers: string[]) => batches.filter(([first = '']) => numbers.includes(first));
    await expect.poll(() => batches).toHaveLength(2);
    add('a');
    add('b');
    await expect.poll(() => of('002', '006')).toEqual([['002', '004'], ['006']]);
    expect(of('001', '005')).toEqual([['001', '003']]);
    held.resolve(success);
    await expect.poll(() => of('001', '005')).toEqual([['001', '003'], ['005']]);
  });

  it('leaves in the stream what is not done when it stops', async () => {
    const { stream, waiting } = createStream('a', 'b', 'c');
    const { mapping, batches } = start(stream, failingExcept(['001']), { batchRecordsMax: 2 });
    await expect.poll(() => batches.length).toBeGreaterThan(1);
    await mapping.stop();
    const count = batches.length;
    await pause(150);
    expect(batches).toHaveLength(count);
    expect(waiting()).toEqual(['002', '003']);
  });
});

describe('what a mapping gives up on', () => {
  it('is told to the destination as Lambda tells it, and the stream goes on', async () => {
    const { stream, waiting } = createStream('a', 'b', 'c', 'd');
    const { batches, discarded } = start(stream, failingExcept(['001', '004']), {
      batchRecordsMax: 3,
      retriesMax: 2,
    });
    await expect.poll(waiting).toEqual([]);
    expect(batches).toEqual([['001', '002', '003'], ['002', '003'], ['002', '003'], ['004']]);
    expect(discarded).toEqual([
      {
        requestContext: {
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          functionArn: 'function-arn',
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 3,
        },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: null },
        version: '1.0',
        timestamp: '2026-11-02T09:31:02.000Z',
        DDBStreamBatchInfo: {
          shardId: 'shardId-00000000000000000000-00000001',
          startSequenceNumber: '002',
          endSequenceNumber: '003',
          approximateArrivalOfFirstRecord: '2026-11-02T09:31:03Z',
          approximateArrivalOfLastRecord: '2026-11-02T09:31:04Z',
          batchSize: 2,
          streamArn: 'stream-arn',
        },
      },
    ]);
  });

  it('says that the function failed when it threw', async () => {
    const { stream } = createStream('a');
    const { discarded } = start(stream, () => thrown, { retriesMax: 0 });
    await expect.poll(() => discarded).toMatchObject([{ responseContext: { functionError: 'Unhandled' } }]);
  });

  it('is what has become too old, also before the next attempt', async () => {
    const { stream, waiting } = createStream('a', 'b', 'c');
    let now = arrival;
    const answer: Answer = () => {
      // The first record arrived a second before the second one.
      now = arrival + 61_500;
      return batches.length === 1 ? thrown : success;
    };
    const { batches, discarded } = start(stream, answer, { recordAgeSecondsMax: 60 }, { now: () => now });
    await expect.poll(waiting).toEqual([]);
    expect(batches).toEqual([['001', '002', '003'], ['003']]);
    expect(discarded).toMatchObject([
      {
        requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 1 },
        DDBStreamBatchInfo: { startSequenceNumber: '001', endSequenceNumber: '002', batchSize: 2 },
      },
    ]);
  });

  it('is nothing that only waited in a data directory while no process ran', async () => {
    const { stream, waiting } = createStream('a');
    const aWeekLater = arrival + 7 * 24 * 60 * 60 * 1000;
    const { batches, discarded } = start(
      stream,
      () => success,
      { recordAgeSecondsMax: 60 },
      { now: () => aWeekLater },
    );
    await expect.poll(waiting).toEqual([]);
    expect([batches, discarded]).toEqual([[['001']], []]);
  });

  it('stays in the stream while the destination cannot be told', async () => {
    const { stream, waiting } = createStream('a');
    let told = 0;
    const discard = async (): Promise<void> => {
      told += 1;
      if (told < 3) throw new Error('no queue');
    };
    const { faults } = start(stream, () => thrown, { retriesMax: 0 }, { discard });
    await expect.poll(waiting).toEqual([]);
    expect(told).toBe(3);
    expect(faults).toEqual(
      Array(2).fill('Mapping cannot use its stream or its queue for failures: Error: no queue'),
    );
  });
});
