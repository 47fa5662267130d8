import { describe, expect, it } from 'vitest';
import { createTokenExchange } from '../../src/client/index.ts';
import { pageJson, startClient, startService, tokenJson, uuid, webhookJson } from './service.ts';

const page = (change: object) => ({ ...pageJson([webhookJson(1)]), ...change });
const pagination = (change: object) => page(pageJson([webhookJson(1)], { ...change }));

async function expectListError(json: unknown, mismatch: string): Promise<void> {
  const { client } = await startClient({}, { json });
  const message = `In the response of listWebhooks (200) ${mismatch}.`;
  await expect(client.listWebhooks()).rejects.toMatchObject({ name: 'UnexpectedResponseError', message });
}

/** The rows of a list that are no webhook, as sentences. */
async function unreadableOf(...rows: readonly unknown[]): Promise<string[]> {
  const { client } = await startClient({}, { json: pageJson(rows) });
  const found = await client.listWebhooks();
  expect(found.data.map(({ id }) => id)).toEqual([uuid(2)]);
  await expect(client.allWebhooks().next()).rejects.toThrow('In the response of listWebhooks $.data[0]');
  return found.unreadable.map(({ id, url, mismatch: { path, found, expected } }) =>
    [id, url, `${path} is ${found}; expected ${expected}`].join(' '),
  );
}

describe('a page of webhooks that contradicts the API document', () => {
  it.each<[unknown, string]>([
    [page({ object: 'v2.account' }), '$.object is a string; expected "v2.webhook"'],
    [pagination({ total: 1.5 }), '$.pagination.total is a number; expected an integer from 0'],
    [null, '$ is null; expected an object'],
    [
      pagination({ current_page: 2, last_page: 1 }),
      '$.pagination.last_page is a number; expected current_page or above',
    ],
    [pagination({ total: 11 }), '$.pagination.last_page is a number; expected enough pages for the total'],
    [
      pageJson([], { total: 20, last_page: 2 }),
      '$.pagination.last_page is a number; expected the number of a page that is not empty',
    ],
  ])('2.2 is refused with the field in the message (%#)', async (json, message) => {
    await expectListError(json, message);
  });

  it.each([
    ['id', 'webhook-1', 'a string; expected a UUID'],
    ['is_live_mode', 1, 'a number; expected a boolean'],
    ['created_at', '2026-11-02 09:15:00Z', 'a string; expected a time in the form YYYY-MM-DD HH:MM:SS'],
    ['enabled_events', 'transaction.paid', 'a string; expected a JSON-encoded array of strings'],
    ['enabled_events', '{"0":"x"}', 'an object; expected an array'],
  ])('2.1 lists a webhook apart whose %s is %j, and reads the others', async (name, value, message) => {
    const row = { ...webhookJson(1), [name]: value };
    const found = await unreadableOf(row, webhookJson(2));
    expect(found).toEqual([`${row.id} ${row.url} $.data[0].${name} is ${message}`]);
  });

  it('2.1 lists what is no object apart, and shows the places of all', async () => {
    expect(await unreadableOf('x', webhookJson(2), null)).toEqual([
      '  $.data[0] is a string; expected an object',
      '  $.data[2] is null; expected an object',
    ]);
  });

  it.each([
    ['<html>', '$ is not JSON; expected JSON.'],
    ['', '$ is empty; expected JSON.'],
  ])('4.1 refuses the text "%s"', async (text, message) => {
    const { client } = await startClient({}, { text });
    await expect(client.listWebhooks()).rejects.toThrow(`In the response of listWebhooks (200) ${message}`);
  });

  it.each([200, 500])('4.1 reads no more than a mebibyte of a response with status %i', async (status) => {
    const { client } = await startClient({}, { status, text: `"${'x'.repeat(1024 * 1024)}"` });
    const message =
      status === 200
        ? 'In the response of listWebhooks $ is larger; expected no more than 1048576 bytes.'
        : 'without a message';
    await expect(client.listWebhooks()).rejects.toThrow(message);
    const largest = await startClient({}, { text: `"${'x'.repeat(1024 * 1024 - 2)}"` });
    await expect(largest.client.listWebhooks()).rejects.toThrow('$ is a string; expected an object');
  });
});

describe('a token response that contradicts the API document', () => {
  async function exchangeFor(change: object) {
    const { baseUrl } = await startService({ json: { ...tokenJson(1), ...change } });
    return createTokenExchange({ baseUrl, clientId: 'client-1', clientSecret: 'client-secret-1' })('spent');
  }

  it.each([
    ['token_type', 'Bearerx', 'a string; expected "Bearer"'],
    ['expires_in', '3600', 'a string; expected a number'],
    ['expires_in', 1e15, 'a number; expected an integer up to 3153600000'],
    ['access_token', undefined, 'missing; expected a value'],
    ['access_token', 'pri_key', 'a string; expected a token and no private key'],
  ])('2.4 is returned without its %s when that is %j, with what is wrong', async (name, value, wrong) => {
    const { contradiction, ...response } = await exchangeFor({ [name]: value });
    expect(response).toEqual({ ...tokenJson(1), [name]: undefined });
    expect(contradiction?.name).toBe('UnexpectedResponseError');
    expect(contradiction?.message).toBe(`In the response of refreshTokens (200) $.${name} is ${wrong}.`);
  });

  it.each([
    [undefined, 'missing; expected a value'],
    [7, 'a number; expected a string'],
    ['', 'a string; expected a token'],
  ])('2.4 is refused when its refresh_token is %j', async (value, wrong) => {
    await expect(exchangeFor({ refresh_token: value })).rejects.toThrow(
      `In the response of refreshTokens (200) $.refresh_token is ${wrong}.`,
    );
  });

  it('2.4 is returned with a refresh token of any characters, which is sent as it came', async () => {
    const odd = ' två "ord" €\\ ';
    const { contradiction, refresh_token } = await exchangeFor({ refresh_token: odd });
    expect(refresh_token).toBe(odd);
    expect(contradiction?.message).toContain('$.refresh_token is a string; expected a token of printable');
    const { baseUrl, received } = await startService({ json: tokenJson(2) });
    await createTokenExchange({ baseUrl, clientId: 'c', clientSecret: 's' })(odd);
    expect(received[0]?.body).toContain(`\r\n\r\n${odd}\r\n`);
  });
});
