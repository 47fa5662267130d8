import { describe, expect, it } from 'vitest';
import { type RunningSimulator, runSimulator } from './running-simulator.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const list = 'GET /api/v2/webhooks';
const hook = {
  url: 'https://shop.example/hook',
  enabled_events: '["transaction.paid","transaction.refunded"]',
};
const registered = { url: hook.url, enabledEvents: ['a.b'], isLiveMode: false };

interface Page {
  readonly data: readonly { readonly id: string; readonly url: string }[];
  readonly pagination: Readonly<Record<string, number>>;
}

async function page({ request }: RunningSimulator, query = ''): Promise<Page> {
  return (await request(`${list}${query}`)).json;
}

/** As many webhooks, made one after another: https://shop.example/1 is the oldest. */
async function runWithWebhooks(count: number, milliseconds = 1_000): Promise<RunningSimulator> {
  let now = 0;
  const simulator = await runSimulator({ clock: () => now });
  for (let number = 1; number <= count; number += 1) {
    now += milliseconds;
    const url = `https://shop.example/${number}`;
    simulator.registerWebhook({ url, enabledEvents: ['transaction.paid'], isLiveMode: true });
  }
  return simulator;
}

const names = ({ data }: Page) => data.map(({ url }) => url.slice('https://shop.example/'.length));

describe('2.2 and 4.1 the list', () => {
  it('is empty when no webhook exists, and still has a first page', async () => {
    const pagination = { current_page: 1, per_page: 10, total: 0, last_page: 1 };
    expect(await page(await runSimulator())).toEqual({ object: 'v2.webhook', data: [], pagination });
  });

  it('begins with the most recent, ten to a page', async () => {
    const simulator = await runWithWebhooks(21);
    const [first, last] = [await page(simulator), await page(simulator, '?page=3')];
    const pagination = { current_page: 1, per_page: 10, total: 21, last_page: 3 };
    expect(names(first).join()).toBe('21,20,19,18,17,16,15,14,13,12');
    expect(first.pagination).toEqual(pagination);
    expect(names(last).join()).toBe('1');
    expect(last.pagination).toEqual({ ...pagination, current_page: 3 });
  });

  it('is empty after its last page, and caps limit at 50 (8)', async () => {
    const simulator = await runWithWebhooks(51);
    const after = { current_page: 7, per_page: 10, total: 51, last_page: 6 };
    expect(await page(simulator, '?page=7')).toMatchObject({ data: [], pagination: after });
    const { data, pagination } = await page(simulator, '?limit=51');
    expect(data).toHaveLength(50);
    expect(pagination).toEqual({ current_page: 1, per_page: 50, total: 51, last_page: 2 });
  });

  it('sorts by the given field and order', async () => {
    const simulator = await runWithWebhooks(3);
    expect(names(await page(simulator, '?sort_order=asc'))).toEqual(['1', '2', '3']);
    expect(names(await page(simulator, '?sort_field=url&sort_order=desc'))).toEqual(['3', '2', '1']);
    expect(names(await page(simulator, '?sort_field=url&sort_order=asc&limit=1&page=2'))).toEqual(['2']);
  });

  it('puts the later of two within one second first', async () => {
    const simulator = await runWithWebhooks(3, 0);
    expect(names(await page(simulator))).toEqual(['3', '2', '1']);
    expect(names(await page(simulator, '?sort_order=asc'))).toEqual(['1', '2', '3']);
  });
});

describe('4.2 registering', () => {
  it('responds with 201 and the documented fields, and takes the events as an array too (2.1)', async () => {
    const { request } = await runSimulator({ clock: () => Date.UTC(2026, 10, 2, 9, 5, 7, 999) });
    const first = await request('POST /api/v2/webhooks', { body: hook });
    const webhook = {
      object: 'v2.webhook',
      id: expect.stringMatching(uuid),
      url: 'https://shop.example/hook',
      is_live_mode: true,
      enabled_events: '["transaction.paid","transaction.refunded"]',
      created_at: '2026-11-02 09:05:07',
    };
    expect([first.status, first.json]).toEqual([201, webhook]);
    const change = { enabled_events: ['a.b'], is_live_mode: false };
    const { json } = await request('POST /api/v2/webhooks', { body: { ...hook, ...change } });
    expect(json).toEqual({ ...webhook, is_live_mode: false, enabled_events: '["a.b"]' });
    expect((await request(list)).json).toMatchObject({ data: [json, first.json] });
  });

  it.each([
    ['http://127.0.0.1:4800/hook', 'application/json'],
    ['http://[::1]:4800/hook', 'application/json; charset=utf-8'],
  ])('accepts http to this machine, such as %s, as %s', async (url, contentType) => {
    const { request } = await runSimulator();
    const body = { ...hook, url };
    expect((await request('POST /api/v2/webhooks', { body, contentType })).status).toBe(201);
  });
});

describe('4.3 updating', () => {
  it("changes a webhook's URL or its events, and nothing else", async () => {
    const { request, registerWebhook } = await runSimulator();
    const webhook = registerWebhook(registered);
    const path = `PUT /api/v2/webhooks/${webhook.id}`;
    const moved = await request(path, { body: { url: 'https://shop.example/new' } });
    expect([moved.status, moved.json]).toEqual([200, { ...webhook, url: 'https://shop.example/new' }]);
    const filtered = await request(path, { body: { enabled_events: '["c.d"]' } });
    expect(filtered.json).toEqual({ ...webhook, url: 'https://shop.example/new', enabled_events: '["c.d"]' });
    expect((await request(list)).json).toMatchObject({ data: [filtered.json] });
  });

  it.each([
    [{}, 'url', 'url or enabled_events'],
    [{ is_live_mode: true }, 'is_live_mode', 'no such field'],
  ])('with %j is refused and changes nothing', async (body, field, rule) => {
    const { request, registerWebhook } = await runSimulator();
    const webhook = registerWebhook(registered);
    const { status, json } = await request(`PUT /api/v2/webhooks/${webhook.id}`, { body });
    expect([status, json.errors]).toEqual([422, { [field]: [expect.stringContaining(rule)] }]);
    expect((await request(list)).json).toMatchObject({ data: [webhook] });
  });
});

it('4.4 deleting responds with 204 without a body, and 404 the next time', async () => {
  const { request, registerWebhook } = await runSimulator();
  const { id } = registerWebhook(registered);
  const path = `/api/v2/webhooks/${id}`;
  const deleted = await request(`DELETE ${path}`);
  expect(deleted).toMatchObject({ status: 204, text: '' });
  expect(deleted.headers).not.toHaveProperty('content-type');
  expect((await request(list)).json).toMatchObject({ data: [] });
  expect((await request(`DELETE ${path}`)).status).toBe(404);
  expect((await request(`PUT ${path}`, { body: hook })).status).toBe(404);
});
