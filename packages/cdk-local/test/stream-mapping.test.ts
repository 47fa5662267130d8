import { describe, expect, it, onTestFinished } from 'vitest';
import type { StreamPosition, StreamRecord, TableStream } from '../src/emulators/table-stream.ts';
import { startStreamMapping } from '../src/event-source-mapping/stream-mapping.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import type { StreamMappingModel } from '../src/template/invocations.ts';
import { failing, success, thrown } from './harness.ts';

const arrival = Date.parse('2026-11-02T09:31:02.000Z');

/** A stream of records named by their partition key; the sequence number is the position. */
function createStream(keys: readonly string[], now: () => number) {
  const kept = new Map<string, StreamRecord>();
  const positions: StreamPosition[] = [];
  let onRecord: (position: StreamPosition) => void = () => {};
  const add = (key: string, text = ''): void => {
    const sequenceNumber = String(positions.length + 1).padStart(3, '0');
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
    const position = { sequenceNumber, keyHash: key.charCodeAt(0) };
    positions.push(position);
    onRecord(position);
  };
  const stream: TableStream = {
    follow(listener) {
      onRecord = listener;
      positions.forEach(listener);
      return () => {
        onRecord = () => {};
      };
    },
    age: ({ sequenceNumber }) => now() - arrival - (Number(sequenceNumber) - 1) * 1000,
    read: async (wanted) => wanted.flatMap(({ sequenceNumber }) => kept.get(sequenceNumber) ?? []),
    async remove(done) {
      for (const { sequenceNumber } of done) kept.delete(sequenceNumber);
    },
  };
  keys.forEach((key) => {
    add(key);
  });
  return { stream, add, waiting: () => [...kept.keys()] };
}

type Respond = (numbers: readonly string[], keys: readonly string[]) => Invocation | Promise<Invocation>;

interface Options extends Partial<StreamMappingModel> {
  readonly keys?: readonly string[];
  readonly now?: () => number;
  readonly discard?: (message: object) => Promise<void>;
  readonly onAge?: (milliseconds: number) => void;
  readonly pollMilliseconds?: number;
}

/** The mapping of a stream that holds records of these keys. */
function start(respond: Respond, options: Options = {}) {
  const { keys = [], now = () => arrival, discard, onAge, pollMilliseconds = 0, ...changes } = options;
  const { stream, add, waiting } = createStream(keys, now);
  const batches: string[][] = [];
  const discarded: object[] = [];
  const faults: string[] = [];
  const mapping = startStreamMapping({
    model: {
      name: 'Mapping',
      functionName: 'Worker',
      streamArn: 'stream-arn',
      batchRecordsMax: 10,
      reportsItemFailures: true,
      parallelBatches: 1,
      bisectsBatches: false,
      retriesMax: Number.POSITIVE_INFINITY,
      recordAgeSecondsMax: Number.POSITIVE_INFINITY,
      ...changes,
    },
    stream,
    functionArn: 'function-arn',
    invoke: async (event, ageMilliseconds) => {
      onAge?.(ageMilliseconds);
      const { Records } = event as { Records: StreamRecord[] };
      const numbers = Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
      batches.push(numbers);
      return respond(
        numbers,
        Records.map(({ dynamodb }) => String(dynamodb.Keys['id']?.['S'])),
      );
    },
    discard: discard ?? (async (message) => void discarded.push(message)),
    onFault: (sentence) => faults.push(sentence),
    ...{ now, pollMilliseconds },
  });
  onTestFinished(mapping.stop);
  return { mapping, add, waiting, batches, discarded, faults };
}

/** Fails at the first record that is not among `good`. */
const failingExcept =
  (...good: string[]): Respond =>
  (numbers) => {
    const bad = numbers.find((number) => !good.includes(number));
    return bad === undefined ? success : failing(bad);
  };

describe('the mapping of a stream', () => {
  it('passes on waiting and new records in batches and in order, and removes what is handled', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const { batches, add, waiting } = start(() => success, { keys, batchRecordsMax: 2 });
    await expect.poll(() => batches).toEqual([['001', '002'], ['003', '004'], ['005']]);
    add('f');
    await expect.poll(() => batches[3]).toEqual(['006']);
    await expect.poll(waiting).toEqual([]);
  });

  it('cuts a batch that fails as a whole in halves, which is no retry', async () => {
    const { batches, waiting, discarded } = start((numbers) => (numbers.includes('004') ? thrown : success), {
      keys: ['a', 'b', 'c', 'd', 'e'],
      bisectsBatches: true,
      retriesMax: 1,
    });
    const expected = ['001 002 003 004 005', '001 002 003', '004 005', '004', '004', '005'];
    await expect.poll(() => batches.map((batch) => batch.join(' '))).toEqual(expected);
    await expect.poll(waiting).toEqual([]);
    expect(discarded).toMatchObject([{ DDBStreamBatchInfo: { startSequenceNumber: '004', batchSize: 1 } }]);
  });

  it('keeps the records of a key in order while other keys continue', async () => {
    const held = Promise.withResolvers<Invocation>();
    const respond: Respond = (_, keys) => (keys.includes('a') ? held.promise : success);
    const { batches, add } = start(respond, { keys: ['a', 'b', 'a', 'b'], parallelBatches: 2 });
    // Also when the test fails: a mapping stops when its batches are handled.
    onTestFinished(() => held.resolve(success));
    const of = (...numbers: string[]) => batches.filter(([first = '']) => numbers.includes(first));
    await expect.poll(() => batches).toHaveLength(2);
    add('a');
    add('b');
    await expect.poll(() => of('002', '006')).toEqual([['002', '004'], ['006']]);
    expect(of('001', '005')).toEqual([['001', '003']]);
    held.resolve(success);
    await expect.poll(() => of('001', '005')).toEqual([['001', '003'], ['005']]);
  });

  it('sends the position of records without retries left to its destination, and continues', async () => {
    const options = { keys: ['a', 'b', 'c', 'd'], batchRecordsMax: 3, retriesMax: 2 };
    const { batches, waiting, discarded } = start(failingExcept('001', '004'), options);
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

  it('keeps a record in the stream while its destination does not respond', async () => {
    let attempts = 0;
    const discard = async (): Promise<void> => {
      attempts += 1;
      if (attempts < 3) throw new Error('no queue');
    };
    const { faults, waiting } = start(() => thrown, { keys: ['a'], retriesMax: 0, discard });
    await expect.poll(waiting).toEqual([]);
    expect(attempts).toBe(3);
    const fault = 'Mapping cannot use its stream or its queue for failures: Error: no queue';
    expect(faults).toEqual([fault, fault]);
  });
});
