import { describe, expect, it } from 'vitest';
import { accounts, type RunningSimulator, runSimulator } from './running-simulator.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const list = 'GET /api/v2/webhooks';
const hook = {
  url: 'https://shop.example/hook',
  enabled_events: '["transaction.paid","transaction.refunded"]',
};

interface Page {
  readonly data: readonly { readonly id: string; readonly url: string }[];
  readonly pagination: Readonly<Record<string, number>>;
}

async function page({ ask }: RunningSimulator, query = ''): Promise<Page> {
  return (await ask(`${list}${query}`)).json as Page;
}

/** As many webhooks, made one second after another: https://shop.example/1 is the oldest. */
async function runWithWebhooks(count: number): Promise<RunningSimulator> {
  let now = 0;
  const simulator = await runSimulator({ clock: () => now });
  for (let number = 1; number <= count; number += 1) {
    now += 1_000;
    const url = `https://shop.example/${number}`;
    simulator.registerWebhook({ url, enabledEvents: ['transaction.paid'], isLiveMode: true });
  }
  return simulator;
}

const names = ({ data }: Page) => data.map(({ url }) => url.slice('https://shop.example/'.length));

describe('2.1 a webhook', () => {
  it('has the documented fields and no other', async () => {
    const simulator = await runSimulator({ clock: () => Date.UTC(2026, 10, 2, 9, 5, 7, 999) });
    await simulator.ask('POST /api/v2/webhooks', { body: hook });
    const { data } = await page(simulator);
    expect(data).toEqual([
      {
        object: 'v2.webhook',
        id: expect.stringMatching(uuid),
        url: 'https://shop.example/hook',
        is_live_mode: true,
        enabled_events: '["transaction.paid","transaction.refunded"]',
        created_at: '2026-11-02 09:05:07',
      },
    ]);
  });
});

describe('2.2 and 4.1 the list', () => {
  it('is empty when no webhook exists, and still has a first page', async () => {
    const { ask } = await runSimulator();
    expect((await ask(list)).json).toEqual({
      object: 'v2.webhook',
      data: [],
      pagination: { current_page: 1, per_page: 10, total: 0, last_page: 1 },
    });
  });

  it('begins with the most recent, ten to a page', async () => {
    const simulator = await runWithWebhooks(21);
    const first = await page(simulator);
    expect(names(first)).toEqual(['21', '20', '19', '18', '17', '16', '15', '14', '13', '12']);
    expect(first.pagination).toEqual({ current_page: 1, per_page: 10, total: 21, last_page: 3 });
    const last = await page(simulator, '?page=3');
    expect(names(last)).toEqual(['1']);
    expect(last.pagination).toEqual({ current_page: 3, per_page: 10, total: 21, last_page: 3 });
  });

  it('is empty behind its last page', async () => {
    const { data, pagination } = await page(await runWithWebhooks(3), '?page=2');
    expect([data, pagination]).toEqual([[], { current_page: 2, per_page: 10, total: 3, last_page: 1 }]);
  });

  it('caps limit at 50', async () => {
    const { data, pagination } = await page(await runWithWebhooks(51), '?limit=51');
    expect(data).toHaveLength(50);
    expect(pagination).toEqual({ current_page: 1, per_page: 50, total: 51, last_page: 2 });
  });

  it('sorts upwards and by another field when asked', async () => {
    const simulator = await runWithWebhooks(3);
    expect(names(await page(simulator, '?sort_order=asc'))).toEqual(['1', '2', '3']);
    expect(names(await page(simulator, '?sort_field=url&sort_order=desc'))).toEqual(['3', '2', '1']);
    expect(names(await page(simulator, '?sort_field=url&sort_order=asc&limit=1&page=2'))).toEqual(['2']);
  });

  it('takes the later of two within one second as the more recent', async () => {
    const simulator = await runSimulator({ clock: () => 0 });
    for (const number of [1, 2, 3]) {
      const url = `https://shop.example/${number}`;
      simulator.registerWebhook({ url, enabledEvents: ['transaction.paid'], isLiveMode: true });
    }
    expect(names(await page(simulator))).toEqual(['3', '2', '1']);
    expect(names(await page(simulator, '?sort_order=asc'))).toEqual(['1', '2', '3']);
  });

  it.each([
    ['sort_field=secret', 'sort_field'],
    ['sort_field=', 'sort_field'],
    ['sort_order=DESC', 'sort_order'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['limit=0', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['per_page=5', 'per_page'],
    ['page=1&page=2', 'page'],
  ])('refuses ?%s', async (query, field) => {
    const { ask } = await runSimulator();
    const answer = await ask(`${list}?${query}`);
    expect(answer.status).toBe(422);
    expect(Object.keys((answer.json as { errors: object }).errors)).toEqual([field]);
  });

  it('takes no body', async () => {
    const { ask } = await runSimulator();
    expect((await ask(list, { body: '{}' })).status).toBe(422);
  });

  it('shows the webhooks of its own account alone', async () => {
    const other = { name: 'other', privateKey: 'pri_nobody' };
    const { ask, registerWebhook } = await runSimulator({ accounts: [...accounts, other] });
    const given = { url: 'https://shop.example/1', enabledEvents: ['a.b'], isLiveMode: true };
    const { id } = registerWebhook({ ...given, account: 'other' });
    expect((await ask(list)).json).toMatchObject({ pagination: { total: 0 } });
    expect((await ask(`DELETE /api/v2/webhooks/${id}`)).status).toBe(404);
    const asOther = { authorization: 'Basic cHJpX25vYm9keTo=' };
    expect((await ask(list, asOther)).json).toMatchObject({ data: [{ id }] });
  });
});

describe('4.2 registering', () => {
  it('answers 201 with the webhook, whose events may come as an array too', async () => {
    const { ask } = await runSimulator();
    const body = { ...hook, enabled_events: ['transaction.paid'], is_live_mode: false };
    const made = await ask('POST /api/v2/webhooks', { body });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ is_live_mode: false, enabled_events: '["transaction.paid"]' });
    expect((await ask(list)).json).toMatchObject({ data: [made.json] });
  });

  it.each([
    ['http://127.0.0.1:4800/hook', 201],
    ['http://localhost:4800/hook', 201],
    ['http://[::1]:4800/hook', 201],
    ['http://shop.example/hook', 422],
    ['http://127.0.0.1.shop.example/hook', 422],
    ['https://user:password@shop.example/hook', 422],
    ['ftp://127.0.0.1/hook', 422],
    ['/hook', 422],
  ])('of %s is answered %i: https, or http on this machine', async (url, status) => {
    const { ask } = await runSimulator();
    expect((await ask('POST /api/v2/webhooks', { body: { ...hook, url } })).status).toBe(status);
  });

  it.each([
    ['url', { enabled_events: hook.enabled_events }],
    ['enabled_events', { url: hook.url }],
    ['enabled_events', { ...hook, enabled_events: [] }],
    ['enabled_events', { ...hook, enabled_events: 'transaction.paid' }],
    ['enabled_events', { ...hook, enabled_events: ['paid'] }],
    ['enabled_events', { ...hook, enabled_events: ['transaction.paid', 'transaction.paid'] }],
    ['is_live_mode', { ...hook, is_live_mode: 'true' }],
    ['events', { ...hook, events: [] }],
    ['body', [hook]],
    ['body', '{"url":'],
  ])('with a wrong %s is refused (%#)', async (field, body) => {
    const { ask } = await runSimulator();
    const answer = await ask('POST /api/v2/webhooks', { body });
    expect(answer.status).toBe(422);
    expect(Object.keys((answer.json as { errors: object }).errors)).toEqual([field]);
    expect((await ask(list)).json).toMatchObject({ data: [] });
  });

  it('takes JSON and no form', async () => {
    const { ask } = await runSimulator();
    const contentType = 'application/x-www-form-urlencoded';
    expect((await ask('POST /api/v2/webhooks', { body: 'url=x', contentType })).status).toBe(415);
  });
});

describe('4.3 updating', () => {
  it("changes a webhook's URL or its events, and nothing else", async () => {
    const { ask, registerWebhook } = await runSimulator();
    const webhook = registerWebhook({ url: hook.url, enabledEvents: ['a.b'], isLiveMode: false });
    const path = `PUT /api/v2/webhooks/${webhook.id}`;
    const moved = await ask(path, { body: { url: 'https://shop.example/new' } });
    expect([moved.status, moved.json]).toEqual([200, { ...webhook, url: 'https://shop.example/new' }]);
    const filtered = await ask(path, { body: { enabled_events: '["c.d"]' } });
    expect(filtered.json).toEqual({ ...webhook, url: 'https://shop.example/new', enabled_events: '["c.d"]' });
    expect((await ask(list)).json).toMatchObject({ data: [filtered.json] });
  });

  it.each([{}, { is_live_mode: true }, { url: 'http://shop.example/' }, { enabled_events: 'a.b' }])(
    'with %j is refused and changes nothing',
    async (body) => {
      const { ask, registerWebhook } = await runSimulator();
      const webhook = registerWebhook({ url: hook.url, enabledEvents: ['a.b'], isLiveMode: false });
      expect((await ask(`PUT /api/v2/webhooks/${webhook.id}`, { body })).status).toBe(422);
      expect((await ask(list)).json).toMatchObject({ data: [webhook] });
    },
  );

  it('of a webhook that does not exist is answered 404', async () => {
    const { ask } = await runSimulator();
    expect((await ask('PUT /api/v2/webhooks/none', { body: hook })).status).toBe(404);
  });
});

describe('4.4 deleting', () => {
  it('answers 204 without a body, and 404 the next time', async () => {
    const { ask, registerWebhook } = await runSimulator();
    const { id } = registerWebhook({ url: hook.url, enabledEvents: ['a.b'], isLiveMode: true });
    const path = `DELETE /api/v2/webhooks/${id}`;
    expect(await ask(path)).toMatchObject({ status: 204, text: '' });
    expect((await ask(list)).json).toMatchObject({ data: [] });
    expect((await ask(path)).status).toBe(404);
  });
});
