import { describe, expect, it } from 'vitest';
import { parseTokenResponse, parseTokens, parseWebhook, parseWebhookPage } from '../../src/client/index.ts';
import { pageJson, startClient, tokenJson, webhookJson } from './service.ts';

const page = (change: object) => ({ ...pageJson([webhookJson(1)]), ...change });
const pagination = (change: object) => pageJson([webhookJson(1)], { ...change });

describe('an answer that is not what the document says', () => {
  it.each([
    ['2.2', page({ object: 'v2.account' }), '$.object is another string; expected "v2.webhook"'],
    ['2.2', page({ data: null }), '$.data is null; expected an array'],
    ['2.2', page({ data: undefined }), '$.data is missing; expected an array'],
    ['2.2', page({ data: ['x'] }), '$.data[0] is a string; expected an object'],
    ['2.2', page({ pagination: [] }), '$.pagination is an array; expected an object'],
    ['2.2', pagination({ total: '1' }), '$.pagination.total is a string; expected an integer'],
    ['2.2', pagination({ total: 1.5 }), '$.pagination.total is another number; expected an integer from 0'],
    [
      '2.2',
      pagination({ per_page: 0 }),
      '$.pagination.per_page is another number; expected an integer from 1',
    ],
    ['2.2', [], '$ is an array; expected an object'],
    ['2.2', null, '$ is null; expected an object'],
  ])('%s is an error that names the place: %#', (_, json, message) => {
    expect(() => parseWebhookPage(json)).toThrow(`In a page of webhooks ${message}.`);
  });

  it.each([
    ['last_page below current_page', { current_page: 2 }, 'below it'],
    ['fewer pages than the total needs', { total: 11 }, 'too low'],
  ])('2.2 has no %s', (_, change, found) => {
    expect(() => parseWebhookPage(pagination(change))).toThrow(
      expect.objectContaining({ name: 'UnexpectedAnswerError', path: '$.pagination.last_page', found }),
    );
  });

  it('2.2 has no empty page before the end', () => {
    const empty = pageJson([], { total: 20, last_page: 2 });
    expect(() => parseWebhookPage(empty)).toThrow('$.pagination.last_page is above an empty page');
  });

  it.each([
    ['id', 'webhook-1', 'another string; expected a UUID'],
    ['id', 7, 'a number; expected a UUID'],
    ['url', null, 'null; expected a string'],
    ['is_live_mode', 1, 'a number; expected a boolean'],
    ['created_at', '2026-11-02T09:15:00Z', 'another string; expected a time as YYYY-MM-DD HH:MM:SS'],
    ['enabled_events', ['transaction.paid'], 'an array; expected a string'],
    ['enabled_events', 'transaction.paid', 'another string; expected a JSON-encoded array of strings'],
    ['enabled_events', '{"0":"x"}', 'an object; expected an array'],
    ['enabled_events', '[1]', 'a number; expected a string'],
  ])('2.1 has no %s such as %j', (name, value, message) => {
    const wrong = expect.objectContaining({ message: expect.stringContaining(message) });
    expect(() => parseWebhook(webhookJson(1, { [name]: value }))).toThrow(wrong);
    expect(() => parseWebhook(webhookJson(1, { [name]: value }))).toThrow(`In a webhook $.${name}`);
  });

  it('2.1 has its fields of its own, and not from the prototype', () => {
    expect(() => parseWebhook(Object.create(webhookJson(1)))).toThrow('$.object is missing');
  });

  it.each([
    ['token_type', 'Basic', 'another string; expected "Bearer"'],
    ['expires_in', '3600', 'a string; expected an integer'],
    ['expires_in', 0, 'another number; expected an integer from 1'],
    ['access_token', undefined, 'missing; expected a token'],
    ['refresh_token', 'two words', 'another string; expected a token'],
  ])('2.4 has no %s such as %j', (name, value, message) => {
    expect(() => parseTokenResponse({ ...tokenJson(1), [name]: value })).toThrow(`$.${name} is ${message}`);
  });

  it('2.4 is read in full', () => {
    expect(parseTokenResponse({ ...tokenJson(1), scope: '' })).toEqual(tokenJson(1));
  });

  it('5.3 stored tokens may be without a time of expiry, and never without a refresh token', () => {
    const tokens = { access_token: 'a', refresh_token: 'r' };
    expect(parseTokens(tokens)).toEqual({ ...tokens, expires_at: null });
    expect(() => parseTokens({ access_token: 'a' })).toThrow('$.refresh_token is missing');
  });

  it.each([
    ['<html>', 'not JSON'],
    ['', 'empty'],
  ])('4.1 is no text such as "%s"', async (text, found) => {
    const { client } = await startClient({}, { text });
    const message = `In the answer of listWebhooks (200) $ is ${found}; expected JSON.`;
    await expect(client.listWebhooks()).rejects.toThrow(message);
  });

  it('4.1 has a bound', async () => {
    const { client } = await startClient({}, { text: `"${'x'.repeat(1024 * 1024)}"` });
    await expect(client.listWebhooks()).rejects.toMatchObject({
      name: 'UnexpectedAnswerError',
      found: 'larger',
    });
  });
});
