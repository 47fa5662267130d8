import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { EventNotFoundError } from '@payhooks/order-client';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLiveLog } from '../../local/live-log/live-log.ts';
import { runPayhooks } from '../cli/payhooks-process.ts';
import { readFeed } from '../local/feed/feed-reader.ts';
import { eventually, type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';

const modes = ['live', 'sandbox'] as const;
let pipeline: RunningPipeline;
const shown: string[] = [];
const liveLog = createLiveLog({ write: (text) => shown.push(text), colours: false });

/** The keys in the tables of the heartbeat that has returned. */
let sent: { readonly orderId: string; readonly eventId: string; readonly transactionId: string };

beforeAll(async () => {
  pipeline = await runPipeline({ onLine: liveLog.onLine });
  await pipeline.runSchedules();
  await eventually(returnedAt, (at) => at !== null);
  const keys = [...(await keysOf('events')), ...(await keysOf('orders'))];
  const idAfter = (start: string): string =>
    keys.find((key) => key.startsWith(start))?.slice(start.length) ?? '';
  sent = {
    orderId: idAfter('heartbeat:order:'),
    eventId: idAfter('heartbeat:event:'),
    transactionId: idAfter('heartbeat:transaction:'),
  };
  await pipeline.post(bytesOf(paidEvent({ orderId: 'order-1', eventId: 'event-1' })));
  await pipeline.order('order-1');
});
afterAll(() => pipeline.stop());

async function keysOf(table: 'events' | 'orders'): Promise<string[]> {
  const { eventsTableName, ordersTableName } = pipeline.resources;
  const TableName = table === 'events' ? eventsTableName : ordersTableName;
  const { Items = [] } = await pipeline.clients.dynamodb.send(new ScanCommand({ TableName }));
  return Items.map((row: Record<string, AttributeValue>) => row[`${table.slice(0, -1)}_key`]?.S ?? '');
}

const returnedAt = async (): Promise<unknown> => (await pipeline.get('/heartbeat')).json['returned_at'];

describe('while heartbeats run', () => {
  it('the tables hold one, so that the other facts here are about something', () => {
    expect(sent.orderId).toMatch(/^\d{4}-\d\d-\d\dT.*Z [0-9a-f-]{36}$/);
    for (const id of [sent.eventId, sent.transactionId]) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(modes)('order systems find nothing of it in the mode %s', async (mode) => {
    const { json } = await pipeline.get(`/orders?updated_since=2020-01-01T00:00:00Z&mode=${mode}`);
    const ids = (json['orders'] as { order_id: string }[]).map(({ order_id }) => order_id);
    expect(ids).toEqual(mode === 'live' ? ['order-1'] : []);
    const order = encodeURIComponent(sent.orderId);
    const transaction = `transactions/${sent.transactionId}`;
    for (const path of [`orders/${order}`, `orders/${order}/events`, `events/${sent.eventId}`, transaction])
      expect((await pipeline.get(`/${path}?mode=${mode}`)).status, path).toBe(404);
    const feed = await readFeed(pipeline.baseUrl, { lastEventId: '0', query: `?mode=${mode}` });
    await expect.poll(() => feed.events.map(({ detail }) => detail.order_id)).toEqual(ids);
    await feed.close();
  });

  it('nothing of it waits, is counted or has used a key', async () => {
    const { counts } = await pipeline.operations.waitingCounts();
    expect(counts.filter(({ count }) => count > 0)).toEqual([]);
    for (const mode of modes) expect((await pipeline.operations.waiting({ mode })).events).toEqual([]);
    const { keys } = await pipeline.operations.keys();
    expect(keys.map(({ mode }) => mode)).toEqual(['live']);
  });

  it.each(modes)('operators neither find, verify, replay nor erase it in the mode %s', async (mode) => {
    const { operations } = pipeline;
    const { orderId: order_id, eventId: event_id } = sent;
    await expect(operations.event(event_id, { mode })).rejects.toThrow(EventNotFoundError);
    for (const act of ['replay', 'erase'] as const)
      for (const subject of [{ event_id }, { order_id }]) {
        const done = operations[act]({ mode, ...subject, dry_run: true });
        const found = await done.then(
          ({ events }) => events.length,
          ({ status }) => status,
        );
        expect([0, 404]).toContain(found);
      }
    let compared = 0;
    let cursor: string | null | undefined;
    do {
      const page = await operations.verify({ mode, ...(cursor && { cursor }) });
      compared += page.compared.events;
      cursor = page.next_cursor;
    } while (cursor);
    expect(compared).toBe(mode === 'live' ? 1 : 0);
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
    expect([at >= earliest, at <= String(await returnedAt())]).toEqual([true, true]);
  });
});
