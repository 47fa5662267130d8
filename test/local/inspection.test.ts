import { createServer, request, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInspection } from '../../local/inspection/inspection.ts';

let server: Server;
let baseUrl: string;
let alarms = 0;

beforeAll(async () => {
  const inspect = createInspection({
    '/stack': () => ({ stack: 'payhooks-local' }),
    '/alarms': () => ({ asked: ++alarms }),
  });
  server = createServer((asked, response) => {
    if (!inspect(asked, response)) response.writeHead(404).end('not mine');
  });
  baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
});
afterAll(() => closeServer(server));

async function ask(path: string, method = 'GET', headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  request(baseUrl + path, { method, headers }, async (response) =>
    resolve({ status: response.statusCode ?? 0, body: await text(response) }),
  )
    .on('error', reject)
    .end();
  return promise;
}

describe('what local mode shows of itself', () => {
  it('is JSON, made when it is asked for', async () => {
    expect(await ask('/stack')).toEqual({ status: 200, body: '{"stack":"payhooks-local"}' });
    expect(await ask('/alarms?x=1')).toEqual({ status: 200, body: '{"asked":1}' });
    expect(await ask('/alarms')).toEqual({ status: 200, body: '{"asked":2}' });
  });

  it.each(['/', '/stacks', '/stack/', '/toString'])('leaves %s to others', async (path) => {
    expect(await ask(path)).toEqual({ status: 404, body: 'not mine' });
  });

  it.each([
    ['a name that is not of this machine', { host: 'rebound.test' }],
    ['the page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused to %s', async (_, headers) => {
    const answer = await ask('/stack', 'GET', headers);
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('payhooks-local');
  });

  it('is only to be looked at', async () => {
    expect(await ask('/stack', 'POST')).toEqual({ status: 405, body: '{"message":"/stack only shows."}' });
  });
});
