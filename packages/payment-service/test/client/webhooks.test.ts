import { describe, expect, it } from 'vitest';
import { pageJson, startClient, uuid, webhookJson } from './service.ts';

const registration = {
  url: 'https://shop.example/webhooks/payments',
  enabled_events: ['transaction.paid', 'transaction.refunded'],
};

const webhook = {
  object: 'v2.webhook',
  id: uuid(1),
  url: 'https://shop.example/webhooks/payments',
  is_live_mode: true,
  enabled_events: ['transaction.paid', 'transaction.refunded'],
  created_at: '2026-11-02 09:15:00',
  record: {
    object: 'v2.webhook',
    id: uuid(1),
    url: 'https://shop.example/webhooks/payments',
    is_live_mode: true,
    enabled_events: '["transaction.paid","transaction.refunded"]',
    created_at: '2026-11-02 09:15:00',
  },
};

describe('the list of webhooks', () => {
  it('4.1 sends GET /api/v2/webhooks without a query and a body, and accepts JSON', async () => {
    const { client, received } = await startClient({}, { json: pageJson([]) });
    await client.listWebhooks();
    expect(received).toMatchObject([{ method: 'GET', url: '/api/v2/webhooks', body: '' }]);
    expect(received[0]?.headers.accept).toBe('application/json');
  });

  it('4.1 sends sort_field, sort_order, page and limit', async () => {
    const { client, received } = await startClient({}, { json: pageJson([], { current_page: 3 }) });
    await client.listWebhooks({ sort_field: 'created_at', sort_order: 'asc', page: 3, limit: 50 });
    expect(received[0]?.url).toBe('/api/v2/webhooks?sort_field=created_at&sort_order=asc&page=3&limit=50');
  });

  it('2.1 gives enabled_events as an array, and unknown fields in the record only', async () => {
    const page = { ...pageJson([webhookJson(1, { secret: 'later' })]), links: {} };
    const { client } = await startClient({}, { json: page });
    expect(await client.listWebhooks()).toEqual({
      object: 'v2.webhook',
      data: [{ ...webhook, record: { ...webhook.record, secret: 'later' } }],
      pagination: { current_page: 1, per_page: 10, total: 1, last_page: 1 },
    });
  });

  it.each([0, 51, 1.5, Number.NaN])('8 does not send the limit %s', async (limit) => {
    const { client, received } = await startClient({}, { json: pageJson([]) });
    await expect(client.listWebhooks({ limit })).rejects.toMatchObject({
      name: 'InvalidRequestError',
      message: `The limit is ${limit}; expected an integer from 1 to 50.`,
    });
    expect(received).toEqual([]);
  });

  it.each([0, -1, 1.5])('8 does not send the page %s', async (page) => {
    const { client, received } = await startClient({}, { json: pageJson([]) });
    await expect(client.listWebhooks({ page })).rejects.toThrow(`The page is ${page}`);
    expect(received).toEqual([]);
  });

  it('2.2 refuses another page than the requested one', async () => {
    const json = pageJson([webhookJson(1)], { total: 30, last_page: 3 });
    const { client } = await startClient({}, { json });
    await expect(client.listWebhooks({ page: 2 })).rejects.toThrow(
      '$.pagination.current_page is page 1; expected the requested page, 2.',
    );
  });

  it('2.2 accepts an empty page after the end, or the last page in its place', async () => {
    const after = { json: pageJson([], { current_page: 9, total: 1 }) };
    const { client } = await startClient({}, after, { json: pageJson([webhookJson(1)]) });
    expect((await client.listWebhooks({ page: 9 })).data).toEqual([]);
    expect((await client.listWebhooks({ page: 9 })).data).toEqual([webhook]);
  });
});

describe('writing webhooks', () => {
  it('4.4 deletes the webhook of that id, whatever the body of the response', async () => {
    const { client, received } = await startClient({}, { status: 204 }, { text: 'deleted' });
    expect(await client.deleteWebhook(uuid(1))).toBeUndefined();
    expect(await client.deleteWebhook(uuid(2))).toBeUndefined();
    expect(received).toMatchObject([
      { method: 'DELETE', url: `/api/v2/webhooks/${uuid(1)}`, body: '' },
      { method: 'DELETE', url: `/api/v2/webhooks/${uuid(2)}` },
    ]);
  });

  it('4.4 counts a 404 as deleted only after an attempt with an unknown outcome', async () => {
    const first = await startClient({}, { status: 404, json: { message: 'Not Found' } });
    await expect(first.client.deleteWebhook(uuid(1))).rejects.toMatchObject({
      name: 'StatusError',
      status: 404,
    });
    const second = await startClient({}, { fault: 'cut' }, { status: 404 });
    expect(await second.client.deleteWebhook(uuid(1))).toBeUndefined();
    expect(second.received).toHaveLength(2);
    const third = await startClient({}, { status: 504 }, { status: 404 });
    expect(await third.client.deleteWebhook(uuid(1))).toBeUndefined();
    const fourth = await startClient({}, { status: 429 }, { status: 404 });
    await expect(fourth.client.deleteWebhook(uuid(1))).rejects.toMatchObject({ status: 404 });
  });

  it.each(['../oauth/token', '', 'a/b', uuid(1).slice(1)])('4.4 does not send the id "%s"', async (id) => {
    const { client, received } = await startClient({}, {});
    await expect(client.deleteWebhook(id)).rejects.toMatchObject({ name: 'InvalidRequestError' });
    await expect(client.updateWebhook(id, registration)).rejects.toMatchObject({
      name: 'InvalidRequestError',
    });
    await expect(client.webhookHistory(id)).rejects.toMatchObject({ name: 'InvalidRequestError' });
    expect(received).toEqual([]);
  });

  it.each([
    ['an http address', { ...registration, url: 'http://shop.example/' }],
    ['no address', { ...registration, url: 'shop' }],
    ['no event', { ...registration, enabled_events: [] }],
    ['an event without an action', { ...registration, enabled_events: ['transaction'] }],
  ])('1 and 6 refuse to register %s', async (_, wrong) => {
    const { client, received } = await startClient({}, { json: webhookJson(1) });
    await expect(client.createWebhook(wrong)).rejects.toMatchObject({ name: 'InvalidRequestError' });
    await expect(client.updateWebhook(uuid(1), wrong)).rejects.toMatchObject({ name: 'InvalidRequestError' });
    expect(received).toEqual([]);
  });

  it('4.2 shows in the error about a body that the operation succeeded', async () => {
    const { client, received } = await startClient({}, { status: 201, json: { id: 7 } });
    await expect(client.createWebhook(registration)).rejects.toThrow(
      'In the response of createWebhook (201) $.object is missing; expected a value.',
    );
    expect(received).toHaveLength(1);
  });
});

describe('history and account', () => {
  it('4.5 gives null for missing and unexpected fields, and the record as it came', async () => {
    const page = pageJson([{ response_status: '503', attempt: 2 }]);
    const { client, received } = await startClient({}, { json: page });
    expect((await client.webhookHistory(uuid(1), { page: 1, limit: 20 })).data).toEqual([
      {
        delivery_id: null,
        event_id: null,
        event_name: null,
        attempt: 2,
        attempted_at: null,
        response_status: null,
        retry_pending: null,
        record: { response_status: '503', attempt: 2 },
      },
    ]);
    expect(received[0]?.url).toBe(`/api/v2/webhooks/${uuid(1)}/history?page=1&limit=20`);
  });

  it('4.7 returns the current account as it came', async () => {
    const { client, received } = await startClient({}, { json: { name: 'Invented Shop' } });
    expect(await client.currentAccount()).toEqual({ name: 'Invented Shop' });
    expect(received).toMatchObject([{ method: 'GET', url: '/api/v2/account/me' }]);
  });
});
