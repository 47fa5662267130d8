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
      pagination: { current_page: 1, per_page: 10, total: 1, last_page: 1 },
    });
  });

  it.each([
    [{ limit: 0 }, 'The limit is 0; expected an integer from 1 to 50.'],
    [{ limit: 51 }, 'The limit is 51; expected an integer from 1 to 50.'],
    [{ limit: Number.NaN }, 'The limit is NaN; expected an integer from 1 to 50.'],
    [{ page: 0 }, 'The page is 0; expected an integer from 1.'],
    [{ page: 1.5 }, 'The page is 1.5; expected an integer from 1.'],
  ])('8 does not send %j', async (options, message) => {
    const { client, received } = await startClient({}, { json: pageJson([]) });
    await expect(client.listWebhooks(options)).rejects.toMatchObject({
      name: 'InvalidRequestError',
      message,
    });
    expect(received).toEqual([]);
  });

  it('2.2 refuses another page than the requested one', async () => {
    const { client } = await startClient(
      {},
      { json: pageJson([webhookJson(1)], { total: 30, last_page: 3 }) },
    );
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

  it.each(['../oauth/token', '', 'a/b', uuid(1).slice(1)])('4.4 does not send the id "%s"', async (id) => {
    const { client, received } = await startClient({}, {});
    const refused = { name: 'InvalidRequestError', message: 'The webhook id is not a UUID.' };
    await expect(client.deleteWebhook(id)).rejects.toMatchObject(refused);
    await expect(client.updateWebhook(id, registration)).rejects.toMatchObject(refused);
    await expect(client.webhookHistory(id)).rejects.toMatchObject(refused);
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
        response_body: null,
        retry_pending: null,
        record: { response_status: '503', attempt: 2 },
      },
    ]);
    expect(received[0]?.url).toBe(`/api/v2/webhooks/${uuid(1)}/history?page=1&limit=20`);
  });
});
