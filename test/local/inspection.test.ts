import { createServer, request, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInspection } from '../../local/inspection.ts';

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

async function send(path: string, method = 'GET', headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  request(baseUrl + path, { method, headers }, async (response) =>
    resolve({ status: response.statusCode ?? 0, body: await text(response) }),
  )
    .on('error', reject)
    .end();
  return promise;
}

describe('the inspection of local mode', () => {
  it('responds with JSON that is made for each request', async () => {
    expect(await send('/stack')).toEqual({ status: 200, body: '{"stack":"payhooks-local"}' });
    expect(await send('/alarms?x=1')).toEqual({ status: 200, body: '{"views":1}' });
    expect(await send('/alarms')).toEqual({ status: 200, body: '{"views":2}' });
  });

  it('lets no cache keep a response', async () => {
    expect((await fetch(`${baseUrl}/stack`)).headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/', '/stacks', '/stack/', '/toString'])('leaves %s to other handlers', async (path) => {
    expect(await send(path)).toEqual({ status: 404, body: 'not found' });
  });

  it.each([
    ['a foreign host name', 'GET', { host: 'rebound.test' }, 403],
    ['a page of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a POST', 'POST', {}, 405],
  ] as const)('refuses %s', async (_, method, headers, status) => {
    const response = await send('/stack', method, headers);
    expect(response.status).toBe(status);
    expect(response.body).not.toContain('payhooks-local');
  });
});
