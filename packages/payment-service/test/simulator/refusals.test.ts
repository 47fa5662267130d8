import { expect, it } from 'vitest';
import type { SeenRequest } from '../../src/simulator/simulator.ts';
import { runSimulator } from './running-simulator.ts';

const list = 'GET /api/v2/webhooks';
const register = 'POST /api/v2/webhooks';
const hook = { url: 'https://shop.example/hook', enabled_events: ['transaction.paid'] };
const names = 'enabled_events: an array of event names such as transaction.paid, at least one, none twice';
const webAddress = 'url: an https URL; http only for a loopback address';

type Options = Parameters<Awaited<ReturnType<typeof runSimulator>>['request']>[1];
const refusals: readonly [call: string, status: number, message: string, reason: string, Options?][] = [
  ['GET /api/v2/nothing', 404, 'Not Found', 'unknown_path'],
  ['PATCH /api/v2/webhooks', 405, 'Method Not Allowed', 'unknown_method'],
  ['GET /api/v2/webhooks/none/history', 404, 'Not Found', 'unknown_webhook'],
  [list, 406, 'Send Accept: application/json.', 'accept_missing', { accept: 'text/html' }],
  [list, 422, 'body: none', 'invalid_body', { body: '{}' }],
  [`${list}?page=1&page=2`, 422, 'page: given more than once', 'invalid_page'],
  [`${list}?page=0`, 422, 'page: a whole number from 1', 'invalid_page'],
  [`${list}?limit=0`, 422, 'limit: a whole number from 1', 'invalid_limit'],
  [`${list}?sort_field=x`, 422, 'sort_field: one of created_at, id, url', 'invalid_sort_field'],
  [`${list}?sort_order=x`, 422, 'sort_order: asc or desc', 'invalid_sort_order'],
  [`${list}?per_page=5`, 422, 'per_page: no such field', 'invalid_per_page'],
  [list, 403, 'Unauthenticated', 'missing_scope', { authorization: 'Bearer unscoped-access' }],
  [register, 413, 'Content Too Large', 'body_too_large', { body: ' '.repeat(65_537) }],
  [
    register,
    415,
    'The body must be application/json.',
    'not_json',
    { contentType: 'text/plain', body: hook },
  ],
  [register, 422, webAddress, 'invalid_url', { body: { ...hook, url: 'http://shop.example/' } }],
  [register, 422, names, 'invalid_enabled_events', { body: { ...hook, enabled_events: ['a'] } }],
  [register, 422, names, 'invalid_enabled_events', { body: { ...hook, enabled_events: '{' } }],
  [register, 422, names, 'invalid_enabled_events', { body: { ...hook, enabled_events: ['a.b', 'a.b'] } }],
  [register, 422, 'is_live_mode: a boolean', 'invalid_is_live_mode', { body: { ...hook, is_live_mode: 1 } }],
  [register, 422, 'events: no such field', 'invalid_events', { body: { ...hook, events: [] } }],
  [register, 422, 'body: an object', 'invalid_body', { body: '{"url":' }],
];

it.each(refusals)('%s gets a %i, "%s", and its owner sees %s', async (...refused) => {
  const [call, status, message, reason, options] = refused;
  const seen: SeenRequest[] = [];
  const { request } = await runSimulator({ onRequest: (one) => seen.push(one) });
  expect(await request(call, options)).toMatchObject({ status, json: { message } });
  expect(seen).toEqual([expect.objectContaining({ status, reason })]);
});

it('4.7 the account has an id and its name', async () => {
  const { request } = await runSimulator();
  const { json } = await request('GET /api/v2/account/me');
  expect(json).toEqual({ object: 'v2.account', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'shop' });
});
