import { join } from 'node:path';
import { EventBridge, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startEventBridge } from '../src/emulators/event-bridge.ts';
import { type BusEvent, openEventLog } from '../src/emulators/event-log.ts';
import { clientSettings, temporaryDirectory } from './harness.ts';

let emulator: Awaited<ReturnType<typeof startEventBridge>>;
let client: EventBridge;

beforeAll(async () => {
  emulator = await startEventBridge();
  emulator.createBus('Bus');
  client = new EventBridge(clientSettings(emulator.endpoint));
});
afterAll(async () => {
  client.destroy();
  await emulator.close();
});

const entry: PutEventsRequestEntry = {
  EventBusName: 'Bus',
  Source: 'shop',
  DetailType: 'OrderStatusChanged',
  Detail: '{"order_id":"order-1"}',
};

/** `events` is what the log holds of them. */
async function put(...entries: PutEventsRequestEntry[]) {
  const before = emulator.events.latest()?.number ?? 0;
  const response = await client.putEvents({ Entries: entries });
  const events = emulator.events.after(before, 100).map(({ text }) => JSON.parse(text) as BusEvent);
  return { results: response.Entries ?? [], events };
}

describe('PutEvents', () => {
  it('makes the event that the target of a rule receives', async () => {
    const Time = new Date('2026-11-02T09:31:02.999Z');
    const { events, results } = await put({ ...entry, Time, Resources: ['arn:of:something'] });
    expect(events).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'OrderStatusChanged',
        source: 'shop',
        account: '000000000000',
        time: '2026-11-02T09:31:02Z',
        region: 'us-east-1',
        resources: ['arn:of:something'],
        detail: { order_id: 'order-1' },
      },
    ]);
    expect(results).toEqual([{ EventId: events[0]?.id }]);
  });

  it('drops an event for a bus that does not exist and returns an id, like AWS', async () => {
    const { results, events } = await put({ ...entry, EventBusName: 'Elsewhere' }, entry);
    expect(results).toEqual([{ EventId: expect.any(String) }, { EventId: events[0]?.id }]);
    expect(events).toHaveLength(1);
  });

  // A source of 4, a type of 18 and the 8 characters around the filling.
  const half = { ...entry, Detail: `{"a":"${'x'.repeat(512 * 1024 - 30)}"}` };

  it.each([
    ['1 MiB and a time', [{ ...half, Time: new Date() }, half]],
    ['11 entries', Array.from({ length: 11 }, () => entry)],
  ])('refuses a request with %s as a whole', async (_, entries) => {
    const before = emulator.events.latest()?.number;
    await expect(put(...entries)).rejects.toMatchObject({ name: 'ValidationException' });
    expect(emulator.events.latest()?.number).toBe(before);
  });
});

describe('the log of events', () => {
  const event = (id: string): BusEvent => ({
    version: '0',
    id,
    'detail-type': 'T',
    source: 'S',
    account: '000000000000',
    time: '2026-11-02T09:31:02Z',
    region: 'us-east-1',
    resources: [],
    detail: {},
  });
  function open(eventsMax: number, file?: string) {
    const log = openEventLog(file, eventsMax);
    const kept = () => log.after(0, 100).map(({ number, id }) => `${number} ${id}`);
    return { ...log, kept };
  }

  it('keeps a number of events, and drops the oldest', () => {
    const { append, kept, numberOf } = open(3);
    append([event('a'), event('b')]);
    append([event('c'), event('d'), event('e')]);
    expect(kept()).toEqual(['3 c', '4 d', '5 e']);
    expect([numberOf('b'), numberOf('c')]).toEqual([undefined, 3]);
  });

  it('keeps its events and its numbers over a restart', async () => {
    const file = join(await temporaryDirectory(), 'events.db');
    const first = open(2, file);
    first.append([event('a'), event('b')]);
    first.close();
    const second = open(2, file);
    onTestFinished(second.close);
    second.append([event('c')]);
    expect(second.kept()).toEqual(['2 b', '3 c']);
  });
});
