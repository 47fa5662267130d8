import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { EventNotFoundError } from '@payhooks/order-client';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLiveLog } from '../../local/live-log/live-log.ts';
import { runPayhooks } from '../cli/payhooks-process.ts';
import { readFeed } from '../local/feed/feed-reader.ts';
import { eventually, type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';

const modes = ['live', 'sandbox'] as const;
let pipeline: RunningPipeline;
let offset = 0;
const shown: string[] = [];
const liveLog = createLiveLog({ write: (text) => shown.push(text), colours: false });

/** The keys in the tables of the heartbeat that has returned. */
let sent: { readonly orderId: string; readonly eventId: string; readonly transactionId: string };

beforeAll(async () => {
  pipeline = await runPipeline({ onLine: liveLog.onLine, clock: () => Date.now() + offset });
  await pipeline.runSchedules();
  await untilReturned(null);
  const [events, orders] = await Promise.all([rowsOf('events'), rowsOf('orders')]);
  const idAfter = (start: string, keys: readonly string[]): string =>
    keys.find((key) => key.startsWith(start))?.slice(start.length) ?? '';
  sent = {
    orderId: idAfter('heartbeat:order:', orders),
    eventId: idAfter('heartbeat:event:', events),
    transactionId: idAfter('heartbeat:transaction:', events),
  };
  await pipeline.post(bytesOf(paidEvent({ orderId: 'order-1', eventId: 'event-1' })));
  await pipeline.order('order-1');
});
afterAll(() => pipeline.stop());

async function rowsOf(table: 'events' | 'orders'): Promise<string[]> {
  const { eventsTableName, ordersTableName } = pipeline.resources;
  const TableName = table === 'events' ? eventsTableName : ordersTableName;
  const { Items = [] } = await pipeline.clients.dynamodb.send(new ScanCommand({ TableName }));
  return Items.map((row: Record<string, AttributeValue>) => row[`${table.slice(0, -1)}_key`]?.S ?? '');
}

const returnedAt = async (): Promise<unknown> => (await pipeline.get('/heartbeat')).json['returned_at'];
const untilReturned = (before: unknown) => eventually(returnedAt, (at) => at !== before);

describe('while heartbeats run', () => {
  it('the tables hold one, so that the other facts here are about something', () => {
    expect(sent.orderId).toMatch(/^\d{4}-\d\d-\d\dT.*Z [0-9a-f-]{36}$/);
    expect([sent.eventId, sent.transactionId]).toEqual(
      Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)),
    );
  });

  it('the order list has the orders of payments only', async () => {
    const ids = async (query: string) =>
      ((await pipeline.get(`/orders?${query}`)).json['orders'] as { order_id: string }[]).map(
        ({ order_id }) => order_id,
      );
    expect(await ids('updated_since=2020-01-01T00:00:00Z&sort_order=desc')).toEqual(['order-1']);
    expect(await ids('updated_since=2020-01-01T00:00:00Z&sort_order=desc&mode=sandbox')).toEqual([]);
    expect(await ids('updated_since=2020-01-01T00:00:00Z&mode=sandbox')).toEqual([]);
  });

  it('its order, event and transaction are not found in any mode', async () => {
    const order = encodeURIComponent(sent.orderId);
    for (const path of [`orders/${order}`, `orders/${order}/events`, `events/${sent.eventId}`])
      for (const mode of modes) expect((await pipeline.get(`/${path}?mode=${mode}`)).status, path).toBe(404);
    const transactions = `/transactions/${sent.transactionId}`;
    expect((await pipeline.get(transactions)).status).toBe(404);
  });

  it('nothing of it waits, is counted or has used a key', async () => {
    const { counts } = await pipeline.operations.waitingCounts();
    expect(counts.filter(({ count }) => count > 0)).toEqual([]);
    for (const mode of modes) expect((await pipeline.operations.waiting({ mode })).events).toEqual([]);
    const { keys } = await pipeline.operations.keys();
    expect(keys.map(({ mode }) => mode)).toEqual(['live']);
  });

  it('operators neither find, verify, replay nor erase it', async () => {
    const { operations } = pipeline;
    const { orderId: order_id, eventId: event_id } = sent;
    for (const mode of modes) {
      await expect(operations.event(event_id, { mode })).rejects.toThrow(EventNotFoundError);
      await expect(operations.bodies(event_id, { mode })).rejects.toThrow(EventNotFoundError);
      for (const act of ['replay', 'erase'] as const)
        for (const subject of [{ event_id }, { order_id }]) {
          const done = operations[act]({ mode, ...subject, dry_run: true });
          expect(
            await done.then(
              ({ events }) => events,
              (error) => error.status,
            ),
          ).toSatisfy((result) => result === 404 || result.length === 0);
        }
      let compared = 0;
      let cursor: string | null | undefined;
      do {
        const page = await operations.verify({ mode, ...(cursor && { cursor }) });
        compared += page.compared.events;
        cursor = page.next_cursor;
      } while (cursor);
      expect([mode, compared]).toEqual([mode, mode === 'live' ? 1 : 0]);
    }
  });

  it('no API takes its mode', async () => {
    const reads = [
      ...['orders', 'orders/order-1', 'orders/order-1/events', 'events/event-1', 'transactions/t', 'feed'],
      ...['operations/waiting', 'operations/events/event-1', 'operations/bodies/events/event-1'],
      `operations/bodies/${'a'.repeat(64)}`,
    ];
    for (const path of reads) {
      const { status } = await fetch(`${pipeline.baseUrl}/${path}?mode=heartbeat`);
      expect([path, status]).toEqual([path, 400]);
    }
    for (const act of ['admit', 'dismiss', 'resolve', 'replay', 'verify', 'erase']) {
      const body = JSON.stringify({ mode: 'heartbeat', event_id: sent.eventId, dry_run: true });
      const response = await fetch(`${pipeline.baseUrl}/operations/${act}`, { method: 'POST', body });
      expect([act, response.status]).toEqual([act, 400]);
    }
  });

  it('the feed and the archive have events of payments only', async () => {
    const [live, sandbox] = await Promise.all([
      readFeed(pipeline.baseUrl, { lastEventId: '0' }),
      readFeed(pipeline.baseUrl, { lastEventId: '0', query: '?mode=sandbox' }),
    ]);
    await expect.poll(() => live.events.map(({ detail }) => detail.order_id)).toEqual(['order-1']);
    expect(sandbox.events).toEqual([]);
    await Promise.all([live.close(), sandbox.close()]);
  });

  it('the live log shows the payment, and no heartbeat that goes well', () => {
    const text = shown.join('');
    expect(text).toContain('order-1');
    expect(text).not.toMatch(/heartbeat/i);
    expect(text).not.toContain(sent.eventId);
  });

  it('payhooks status shows when the last one returned', async () => {
    const status = (...options: string[]) => runPayhooks(['status', ...options, '--local', pipeline.baseUrl]);
    expect((await status()).stdout).toMatch(/^last heartbeat returned .* ago$/m);
    // Heartbeats go on meanwhile.
    const earliest = String(await returnedAt());
    const { last_heartbeat_at: at } = JSON.parse((await status('--json')).stdout);
    const latest = String(await returnedAt());
    expect([at >= earliest, at <= latest]).toEqual([true, true]);
  });
});

it('payhooks smoke sends a heartbeat and follows it through the whole stack', async () => {
  const { stdout } = await runPayhooks(['smoke', '--local', pipeline.baseUrl], {
    waits: { heartbeatReturnMilliseconds: 20_000 },
  });
  expect(stdout).toMatch(/^✓ heartbeat +sent 202 → queue → recorded → published → returned after \d\.\d s$/m);
  expect(stdout).toMatch(/^✓ foreign signature/m);
  expect(stdout).toMatch(/^– unsigned query +local mode has no IAM$/m);
  expect(stdout).toMatch(/^– dead-letter source/m);
});

/** Lets time pass for the alarms, and runs every schedule as often as it would. */
async function passMinutes(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 5) {
    offset += Math.min(left, 5) * 60_000;
    await pipeline.runSchedules();
  }
}

async function heartbeatAlarm(baseUrl: string): Promise<string | undefined> {
  const response = await fetch(`${baseUrl}/alarms`);
  const alarms = (await response.json()) as { name: string; state: string }[];
  return alarms.find(({ name }) => name === 'HeartbeatMissing')?.state;
}

describe('the alarm HeartbeatMissing', () => {
  it('fires while the mapping of the feed is disabled, and ends once it is enabled', async () => {
    const lambda = new LambdaClient({
      region: 'us-east-1',
      endpoint: pipeline.endpoints.lambda,
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    });
    const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
    const UUID = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn?.includes('/stream/'))?.UUID;
    const enable = (Enabled: boolean) => lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    expect(await heartbeatAlarm(pipeline.baseUrl)).toBe('OK');
    await enable(false);
    await passMinutes(15);
    expect(await heartbeatAlarm(pipeline.baseUrl)).toBe('ALARM');
    await enable(true);
    await eventually(
      () => heartbeatAlarm(pipeline.baseUrl),
      (state) => state === 'OK',
    );
    lambda.destroy();
  });

  it('fires when the name of the registered URL does not resolve', async () => {
    const settings = { webhookUrl: 'https://hooks.payhooks.invalid/webhooks/payments' };
    const lines: string[] = [];
    let minutes = 0;
    const broken = await runPipeline({
      settings,
      onLine: (_, line) => lines.push(line),
      clock: () => Date.now() + minutes * 60_000,
    });
    for (minutes = 5; minutes <= 15; minutes += 5) await broken.runSchedules();
    await eventually(
      () => heartbeatAlarm(broken.baseUrl),
      (state) => state === 'ALARM',
    );
    await broken.stop();
    expect(lines.find((line) => line.includes('heartbeat not sent'))).toMatch(
      /"error_code":"(ENOTFOUND|EAI_AGAIN)"/,
    );
    expect(lines.join('')).not.toContain('heartbeat sent');
  });
});
