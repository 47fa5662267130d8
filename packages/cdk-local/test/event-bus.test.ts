import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentials, region } from '../src/account.ts';
import { type EventBridgeEmulator, startEventBridge } from '../src/emulators/event-bridge.ts';
import type { BusEvent } from '../src/emulators/event-log.ts';
import { openEventLog } from '../src/emulators/event-log.ts';

let emulator: EventBridgeEmulator;
let client: EventBridgeClient;

beforeAll(async () => {
  emulator = await startEventBridge();
  emulator.createBus('Bus');
  client = new EventBridgeClient({ endpoint: emulator.endpoint, region, credentials, maxAttempts: 1 });
});
afterAll(async () => {
  client.destroy();
  await emulator.close();
});

const entry: PutEventsRequestEntry = {
  EventBusName: 'Bus',
  Source: 'payhooks',
  DetailType: 'OrderStatusChanged',
  Detail: '{"order_id":"order-1"}',
};

async function put(...entries: PutEventsRequestEntry[]) {
  const { Entries = [], FailedEntryCount } = await client.send(new PutEventsCommand({ Entries: entries }));
  return { entries: Entries, failed: FailedEntryCount };
}

/** The events that a test puts, of those that are kept. */
async function eventsPutBy(work: () => Promise<unknown>): Promise<BusEvent[]> {
  const before = emulator.events.latest()?.number ?? 0;
  await work();
  return emulator.events.after(before, 100).map(({ text }) => JSON.parse(text));
}

describe('an entry', () => {
  it('becomes the event that a target of a rule gets', async () => {
    let answers: PutEventsResultEntry[] = [];
    const events = await eventsPutBy(async () => {
      const Time = new Date('2026-11-02T09:31:02.999Z');
      answers = (await put({ ...entry, Time, Resources: ['arn:of:something'] })).entries;
    });
    expect(events).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'OrderStatusChanged',
        source: 'payhooks',
        account: '000000000000',
        time: '2026-11-02T09:31:02Z',
        region: 'us-east-1',
        resources: ['arn:of:something'],
        detail: { order_id: 'order-1' },
      },
    ]);
    expect(answers).toEqual([{ EventId: events[0]?.id }]);
  });

  it('without a time is of now, and the ARN of a bus is as good as its name', async () => {
    const EventBusName = 'arn:aws:events:us-east-1:000000000000:event-bus/Bus';
    const [event] = await eventsPutBy(() => put({ ...entry, EventBusName }));
    expect(event?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Math.abs(Date.parse(event?.time ?? '') - Date.now())).toBeLessThan(10_000);
  });

  it('without a bus is for the default bus', async () => {
    const { EventBusName: _, ...plain } = entry;
    expect(await eventsPutBy(() => put(plain))).toHaveLength(1);
  });

  it('for a bus that does not exist gets an id and is dropped, as AWS does', async () => {
    const events = await eventsPutBy(async () => {
      expect(await put({ ...entry, EventBusName: 'Elsewhere' }, entry)).toMatchObject({
        failed: 0,
        entries: [{ EventId: expect.any(String) }, { EventId: expect.any(String) }],
      });
    });
    expect(events).toHaveLength(1);
  });
});

describe('an entry that is wrong is refused alone', () => {
  const missing = (name: string) => ({
    ErrorCode: 'InvalidArgument',
    ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
  });
  const malformed = { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };

  it.each([
    ['no source', { Source: undefined }, missing('Source')],
    ['no detail type', { DetailType: undefined }, missing('DetailType')],
    ['no detail', { Detail: undefined }, missing('Detail')],
    ['a detail that is no JSON', { Detail: '{"a":' }, malformed],
    ['a detail that is a text', { Detail: '"a"' }, malformed],
    ['a detail that is a list', { Detail: '[1]' }, malformed],
    ['a detail that is null', { Detail: 'null' }, malformed],
    [
      'a source of AWS',
      { Source: 'aws.s3' },
      { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' },
    ],
  ])('with %s', async (_, change, refusal) => {
    const events = await eventsPutBy(async () => {
      const { entries, failed } = await put(entry, { ...entry, ...change }, entry);
      expect(failed).toBe(1);
      expect(entries).toEqual([{ EventId: expect.any(String) }, refusal, { EventId: expect.any(String) }]);
    });
    expect(events).toHaveLength(2);
  });
});

describe('a request is refused', () => {
  const refused = async (entries: PutEventsRequestEntry[], message: string): Promise<void> => {
    const events = await eventsPutBy(async () => {
      await expect(put(...entries)).rejects.toMatchObject({
        name: 'ValidationException',
        message: expect.stringContaining(message),
        $metadata: { httpStatusCode: 400 },
      });
    });
    expect(events).toEqual([]);
  };

  it('with no entry, or with more than ten', async () => {
    await refused([], 'Member must have length greater than or equal to 1');
    await refused(Array(11).fill(entry), 'Member must have length less than or equal to 10');
    expect((await put(...Array(10).fill(entry))).failed).toBe(0);
  });

  it('with more than 1 MiB in all its entries', async () => {
    // A source of 8, a type of 18 and the 8 characters around the filling.
    const filled = (bytes: number) => ({ ...entry, Detail: `{"a":"${'x'.repeat(bytes - 34)}"}` });
    const half = filled(512 * 1024);
    expect((await put(half, half)).failed).toBe(0);
    await refused(
      [half, filled(512 * 1024 + 1)],
      'Total size of the entries in the request is over the limit.',
    );
    await refused([{ ...half, Time: new Date() }, half], 'over the limit');
  });

  it('for anything but PutEvents', async () => {
    const headers = { 'x-amz-target': 'AWSEvents.PutRule' };
    const response = await fetch(emulator.endpoint, { method: 'POST', headers, body: '{}' });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { __type: 'UnknownOperationException', message: 'PutRule is not emulated.' },
    ]);
  });
});

describe('the log of events', () => {
  const event = (id: string, text = ''): BusEvent => ({
    version: '0',
    id,
    'detail-type': 'T',
    source: 'S',
    account: '000000000000',
    time: '2026-11-02T09:31:02Z',
    region: 'us-east-1',
    resources: [],
    detail: { text },
  });
  const ids = (log: ReturnType<typeof openEventLog>): string[] => log.after(0, 100).map(({ id }) => id);

  it('keeps as many events as it may, and drops the oldest', () => {
    const log = openEventLog(undefined, { eventsMax: 3, bytesMax: 10_000 });
    log.append([event('a'), event('b')]);
    log.append([event('c'), event('d'), event('e')]);
    expect(log.after(0, 100).map(({ number, id }) => [number, id])).toEqual([
      [3, 'c'],
      [4, 'd'],
      [5, 'e'],
    ]);
    expect([log.numberOf('b'), log.numberOf('c')]).toEqual([undefined, 3]);
    log.close();
  });

  it('keeps as many bytes as it may, and the latest event always', () => {
    const log = openEventLog(undefined, { eventsMax: 100, bytesMax: 1_000 });
    log.append([event('a', 'x'.repeat(300)), event('b', 'x'.repeat(300))]);
    expect(ids(log)).toEqual(['a', 'b']);
    log.append([event('c', 'x'.repeat(300))]);
    expect(ids(log)).toEqual(['b', 'c']);
    log.append([event('d', 'x'.repeat(5_000))]);
    expect(ids(log)).toEqual(['d']);
    log.append([event('e')]);
    expect(ids(log)).toEqual(['e']);
    log.close();
  });

  it('takes all events of a request or none', () => {
    const log = openEventLog(undefined, { eventsMax: 2, bytesMax: 10_000 });
    log.append([event('a')]);
    expect(() => log.append([event('b'), event('a')])).toThrow('UNIQUE');
    log.append([event('c')]);
    expect(log.after(0, 100).map(({ number, id }) => [number, id])).toEqual([
      [1, 'a'],
      [2, 'c'],
    ]);
    log.close();
  });

  it('is there after a restart, with its bounds, and counts on', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
    const file = join(directory, 'events.db');
    const bounds = { eventsMax: 2, bytesMax: 10_000 };
    const first = openEventLog(file, bounds);
    first.append([event('a'), event('b')]);
    first.close();
    const second = openEventLog(file, bounds);
    second.append([event('c')]);
    expect(second.after(0, 100).map(({ number, id }) => [number, id])).toEqual([
      [2, 'b'],
      [3, 'c'],
    ]);
    second.close();
    await rm(directory, { recursive: true });
  });
});
