import { describe, expect, it } from 'vitest';
import { pageJson, type Scripted, startClient, uuid, webhookJson } from './service.ts';

const registration = {
  url: 'https://shop.example/webhooks/payments',
  enabled_events: ['transaction.paid', 'transaction.refunded'],
};

const webhook = { ...webhookJson(1), ...registration, record: webhookJson(1) };

describe('the list of webhooks', () => {
  it('2.1 gives enabled_events as an array, and unknown fields in the record only', async () => {
    const page = { ...pageJson([webhookJson(1, { secret: 'later' })]), links: {} };
    const { client } = await startClient({}, { json: page });
    expect(await client.listWebhooks()).toEqual({
      object: 'v2.webhook',
      data: [{ ...webhook, record: { ...webhook.record, secret: 'later' } }],
      unreadable: [],
      pagination: { current_page: 1, per_page: 10, total: 1, last_page: 1 },
    });
  });

  it.each([
    [{ limit: 0 }, 'The limit is 0; expected an integer from 1 to 50.'],
    [{ limit: 51 }, 'The limit is 51; expected an integer from 1 to 50.'],
    [{ limit: Number.NaN }, 'The limit is NaN; expected an integer from 1 to 50.'],
    [{ page: 1.5 }, 'The page is 1.5; expected an integer from 1.'],
  ])('8 does not send %j', async (options, message) => {
    const { client, received } = await startClient({}, { json: pageJson([]) });
    const refused = { name: 'InvalidRequestError', message };
    await expect(client.listWebhooks(options)).rejects.toMatchObject(refused);
    await expect(client.webhookHistory(uuid(1), options)).rejects.toMatchObject(refused);
    expect(received).toEqual([]);
  });

  it.each([
    [{}, ''],
    [{ limit: 50, sort_field: 'url', sort_order: 'asc' }, '?sort_field=url&sort_order=asc&limit=50'],
  ] as const)('4.1 sends %j as given, and no body', async (options, query) => {
    const { client, received } = await startClient({}, { json: pageJson([]) });
    await client.listWebhooks(options);
    const [{ method, url, headers, body } = { headers: {} }] = received;
    expect([method, url, body]).toEqual(['GET', `/api/v2/webhooks${query}`, '']);
    expect([headers.accept, headers['content-type']]).toEqual(['application/json', undefined]);
  });

  it.each([
    [2, { current_page: 3, last_page: 3, total: 30 }],
    [1, { current_page: 2, last_page: 2, total: 20 }],
  ])('2.2 refuses for page %i the page %j', async (page, pagination) => {
    const { client } = await startClient({}, { json: pageJson([webhookJson(1)], pagination) });
    const found = `$.pagination.current_page is page ${pagination.current_page}`;
    await expect(client.listWebhooks({ page })).rejects.toThrow(
      `In the response of listWebhooks (200) ${found}; expected the requested page, ${page}.`,
    );
    await expect(client.webhookHistory(uuid(1), { page })).rejects.toThrow(
      `In the response of webhookHistory (200) ${found}; expected the requested page, ${page}.`,
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

  it.each<[string, Scripted[], object | undefined]>([
    ['is an error', [], { name: 'StatusError', status: 404 }],
    ['counts as deleted after a lost response', [{ fault: 'cut' }], undefined],
    ['counts as deleted after a 504', [{ status: 504 }], undefined],
    ['is an error after a 429, which deleted nothing', [{ status: 429 }], { status: 404 }],
  ])('4.4 a 404 %s', async (_, before, error) => {
    const { client } = await startClient({}, ...before, { status: 404, json: { message: 'Not Found' } });
    const deleted = client.deleteWebhook(uuid(1));
    if (error === undefined) expect(await deleted).toBeUndefined();
    else await expect(deleted).rejects.toMatchObject(error);
  });

  it('4.2 and 4.3 send both fields as JSON, and give the webhook of the response', async () => {
    const { client, received } = await startClient({}, { status: 201, json: webhookJson(1) });
    const given = { url: 'http://127.0.0.1:8080/', enabled_events: ['a.b', 'account_x.be.c'] };
    expect(await client.createWebhook(given)).toEqual(webhook);
    expect(await client.updateWebhook(uuid(1).toUpperCase(), given)).toEqual(webhook);
    const sent = received.map(({ method, url, headers, body }) => [
      `${method} ${url}`,
      headers['content-type'],
      JSON.parse(body),
    ]);
    expect(sent).toEqual([
      ['POST /api/v2/webhooks', 'application/json', given],
      [`PUT /api/v2/webhooks/${uuid(1).toUpperCase()}`, 'application/json', given],
    ]);
  });

  const notUuids = ['../oauth/token', '', 'a/b', uuid(1).slice(1), `0${uuid(1)}`, `${uuid(1)}0`];
  it.each(notUuids)('4.4 does not send the id "%s"', async (id) => {
    const { client, received } = await startClient({}, {});
    const refused = { name: 'InvalidRequestError', message: 'The webhook id is not a UUID.' };
    await expect(client.deleteWebhook(id)).rejects.toMatchObject(refused);
    await expect(client.updateWebhook(id, registration)).rejects.toMatchObject(refused);
    await expect(client.webhookHistory(id)).rejects.toMatchObject(refused);
    expect(received).toEqual([]);
  });

  const addressMessage = 'The webhook URL is not an https address; http is for loopback only.';
  const nameMessage = (name: string) => `The event name "${name}" is not event_resource.event_action.`;
  it.each<[Partial<typeof registration>, string]>([
    [{ url: 'http://shop.example/' }, addressMessage],
    [{ url: 'shop' }, addressMessage],
    [{ enabled_events: [] }, 'The webhook has no enabled events.'],
    ...['transaction', 'transaction.', '.paid', 'a..b', ' a.b', 'a.b ', 'a.b c'].map(
      (name): [object, string] => [{ enabled_events: ['transaction.paid', name] }, nameMessage(name)],
    ),
  ])('1 and 6 refuse to register %j', async (change, message) => {
    const { client, received } = await startClient({}, { json: webhookJson(1) });
    const [wrong, refused] = [
      { ...registration, ...change },
      { name: 'InvalidRequestError', message },
    ];
    await expect(client.createWebhook(wrong)).rejects.toMatchObject(refused);
    await expect(client.updateWebhook(uuid(1), wrong)).rejects.toMatchObject(refused);
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
        response_body: null,
        retry_pending: null,
        record: { response_status: '503', attempt: 2 },
      },
    ]);
    expect(received[0]?.url).toBe(`/api/v2/webhooks/${uuid(1)}/history?page=1&limit=20`);
  });
});
