import { expect, it } from 'vitest';
import { runSimulator } from './running-simulator.ts';

const list = 'GET /api/v2/webhooks';
const register = 'POST /api/v2/webhooks';
const hook = { url: 'https://shop.example/hook', enabled_events: ['transaction.paid'] };
const names = 'enabled_events: an array of event names such as transaction.paid, at least one, none twice';
const webAddress = 'url: an https URL; http only for a loopback address';
const json = 'The body must be application/json.';

type Options = Parameters<Awaited<ReturnType<typeof runSimulator>>['request']>[1];
const refusals: readonly [call: string, status: number, message: string, Options?][] = [
  ['GET /api/v2/nothing', 404, 'Not Found'],
  ['PATCH /api/v2/webhooks', 405, 'Method Not Allowed'],
  ['GET /api/v2/webhooks/none/history', 404, 'Not Found'],
  [list, 406, 'Send Accept: application/json.', { accept: 'text/html' }],
  [list, 422, 'body: none', { body: '{}' }],
  [`${list}?page=1&page=2`, 422, 'page: given more than once'],
  [`${list}?page=0`, 422, 'page: a whole number from 1'],
  [`${list}?limit=0`, 422, 'limit: a whole number from 1'],
  [`${list}?sort_field=x`, 422, 'sort_field: one of created_at, id, url'],
  [`${list}?sort_order=x`, 422, 'sort_order: asc or desc'],
  [`${list}?per_page=5`, 422, 'per_page: no such field'],
  [register, 413, 'Content Too Large', { body: ' '.repeat(65_537) }],
  [register, 415, json, { contentType: 'text/plain', body: hook }],
  [register, 415, json, { contentType: 'application/jsonp', body: hook }],
  ...['http://shop.example/', 'http://127.0.0.1.shop.example/', 'https://user@shop.example/'].map(
    (url): [string, number, string, Options] => [register, 422, webAddress, { body: { ...hook, url } }],
  ),
  [register, 422, names, { body: { ...hook, enabled_events: ['a'] } }],
  [register, 422, names, { body: { ...hook, enabled_events: '{' } }],
  [register, 422, names, { body: { ...hook, enabled_events: ['a.b', 'a.b'] } }],
  [register, 422, 'is_live_mode: a boolean', { body: { ...hook, is_live_mode: 1 } }],
  [register, 422, 'events: no such field', { body: { ...hook, events: [] } }],
  [register, 422, 'body: an object', { body: '{"url":' }],
];

it.each(refusals)('%s gets a %i, "%s"', async (call, status, message, options) => {
  const { request } = await runSimulator();
  const response = await request(call, options);
  expect(response).toMatchObject({ status, json: { message } });
  expect(response.headers['allow']).toBe(status === 405 ? 'GET, POST' : undefined);
});

it('4.7 the account has an id and its name', async () => {
  const { request } = await runSimulator();
  const { json } = await request('GET /api/v2/account/me');
  expect(json).toEqual({ object: 'v2.account', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'shop' });
});
