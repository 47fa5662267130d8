import { createServer, type Server } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInspection } from '../../local/inspection.ts';
import { createSend } from '../acceptance/pipeline.ts';

let server: Server;
let baseUrl: string;
let views = 0;

beforeAll(async () => {
  const inspect = createInspection({
    '/stack': () => ({ stack: 'payhooks-local' }),
    '/alarms': () => ({ views: ++views }),
  });
  server = createServer((incoming, response) => {
    if (!inspect(incoming, response)) response.writeHead(404).end('not found');
  });
  baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
});
afterAll(() => closeServer(server));

const send = async (path: string, body?: Uint8Array, headers = {}) => {
  const response = await createSend()(baseUrl + path, body, headers);
  return { status: response.status, body: response.body, cache: response.headers['cache-control'] };
};

describe('the inspection of local mode', () => {
  it('responds with JSON that is made for each request, and that no cache may keep', async () => {
    const cache = 'no-store';
    expect(await send('/stack')).toEqual({ status: 200, body: '{"stack":"payhooks-local"}', cache });
    expect(await send('/alarms?x=1')).toEqual({ status: 200, body: '{"views":1}', cache });
    expect(await send('/alarms')).toEqual({ status: 200, body: '{"views":2}', cache });
  });

  it.each(['/', '/stacks', '/stack/', '/toString'])('leaves %s to other handlers', async (path) => {
    expect(await send(path)).toMatchObject({ status: 404, body: 'not found' });
  });

  it.each([
    ['a foreign host name', undefined, { host: 'rebound.test' }, 403],
    ['a page of another site', undefined, { 'sec-fetch-site': 'cross-site' }, 403],
    ['a POST', Buffer.from('{}'), {}, 405],
  ])('refuses %s', async (_, posted, headers, status) => {
    const response = await send('/stack', posted, headers);
    expect(response.status).toBe(status);
    expect(response.body).not.toContain('payhooks-local');
  });
});
