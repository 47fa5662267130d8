import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Console, createConsole } from '../../local/console/console.ts';
import { createLiveLog, type LiveLog } from '../../local/live-log/live-log.ts';

let liveLog: LiveLog;
let console: Console;
let server: Server;
let baseUrl: string;

beforeEach(async () => {
  liveLog = createLiveLog({ write: () => undefined, colours: false });
  log({ message: 'webhook refused', request_id: 'before', status: 403, reason: 'missing' });
  console = createConsole(liveLog);
  server = createServer((incoming, response) => {
    if (!console.handle(incoming, response)) response.writeHead(418).end();
  });
  baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  console.close();
  await closeServer(server);
});

function log(fields: Record<string, unknown>): void {
  liveLog.onLine('consumer', JSON.stringify({ timestamp: '2026-11-02T09:31:02.114Z', ...fields }));
}

const get = (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init);

/** The status of a request with this Host, which fetch does not let a caller choose. */
async function statusFor(host: string, path = '/'): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(baseUrl + path, { setHost: false, headers: { host } }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  response.destroy();
  return response.statusCode;
}

interface Message {
  readonly event: string;
  readonly data: { readonly [key: string]: unknown };
}

async function* messages(response: Response): AsyncGenerator<Message, undefined> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

async function readTotals(): Promise<unknown> {
  const { value } = await messages(await get('/console/events')).next();
  return value?.data['totals'];
}

const zero = {
  ...{ accepted: 0, refused: 0, failed: 0, retried: 0, applied: 0, recorded: 0, duplicate: 0, conflict: 0 },
  ...{ unassigned: 0, quarantined: 0, unrecognised: 0, published: 0, unpublished: 0, waiting: 0, orders: 0 },
};

describe('the console page', () => {
  it('lets nothing inline and nothing from elsewhere run', async () => {
    const response = await get('/');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(await response.text()).not.toMatch(/https?:|style=|<style| on\w+=|<script(?![^>]* src=)/);
  });

  it('serves every file that the page and its scripts refer to', async () => {
    const paths = new Set(['/']);
    for (const path of paths) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      const text = await response.text();
      if (path === '/') for (const [, file = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) paths.add(file);
      if (!path.endsWith('.js')) continue;
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      for (const [, name] of text.matchAll(/from '\.\/([^']+)'/g)) paths.add(`/console/${name}`);
    }
    expect(paths.size).toBeGreaterThan(10);
  });

  it.each(['/orders/1', '/events/1', '/healthz', '/consoles', '/console.css'])(
    'leaves %s to the pipeline',
    async (path) => expect((await get(path)).status).toBe(418),
  );

  it.each(['127.0.0.1:4800', 'localhost:4800', 'LOCALHOST', '127.8.9.1', '[::1]:4800'])(
    'responds under the loopback name %s',
    async (host) => expect(await statusFor(host)).toBe(200),
  );

  it.each(['shop.example', 'localhost.shop.example', '127.0.0.1.shop.example', '10.0.0.1:4800', ''])(
    'refuses the host name "%s", which another site may have pointed at this machine',
    async (host) => {
      expect(await statusFor(host)).toBe(403);
      expect(await statusFor(host, '/console/events')).toBe(403);
    },
  );

  it.each([
    ['a POST', '/', { method: 'POST' }, 405],
    ['a path out of its folder', '/console/..%2fconsole.ts', {}, 404],
    [
      'an event stream for another site',
      '/console/events',
      { headers: { 'sec-fetch-site': 'cross-site' } },
      403,
    ],
    ['a HEAD of the event stream', '/console/events', { method: 'HEAD' }, 405],
  ])('refuses %s', async (_, path, init, status) => {
    expect((await get(path, init)).status).toBe(status);
  });

  it('responds to HEAD without a body', async () => {
    expect(await (await get('/', { method: 'HEAD' })).text()).toBe('');
  });
});

describe('the event stream of the console', () => {
  it('starts with a snapshot and continues with each entry', async () => {
    const stream = messages(await get('/console/events'));
    expect((await stream.next()).value).toMatchObject({
      event: 'snapshot',
      data: {
        totals: { ...zero, refused: 1 },
        entries: [{ number: 1, message: 'webhook refused', fields: { reason: 'missing' } }],
        attentionSentences: { currency_mixed: 'The events of this order have more than one currency.' },
      },
    });
    log({ message: 'webhook accepted', request_id: 'r1' });
    expect((await stream.next()).value).toMatchObject({
      event: 'entry',
      data: { totals: { ...zero, refused: 1, accepted: 1, waiting: 1 } },
    });
    const order = { order_id: 'a\n\nb', order_status: 'paid' };
    log({ message: 'event handled', request_id: 'r1', outcome: 'applied', ...order });
    expect((await stream.next()).value).toMatchObject({
      event: 'entry',
      data: {
        entry: { number: 3, fields: { order_id: 'a\n\nb' } },
        totals: { ...zero, refused: 1, accepted: 1, applied: 1, orders: 1 },
      },
    });
  });

  it('counts an event as waiting between its acknowledgement and its outcome, in either order of lines', async () => {
    log({ message: 'event handled', request_id: 'r1', outcome: 'applied' });
    log({ message: 'webhook accepted', request_id: 'r1' });
    log({ message: 'event handled', request_id: 'r1', outcome: 'duplicate' });
    log({ message: 'webhook accepted', request_id: 'r2' });
    log({ message: 'record will be retried', message_id: 'm2' });
    log({ message: 'event handled', outcome: 'invented' });
    log({ message: 'constructor' });
    const counted = { refused: 1, accepted: 2, applied: 1, duplicate: 1, retried: 1, waiting: 1 };
    expect(await readTotals()).toEqual({ ...zero, ...counted });
  });

  it('counts published changes and each failed attempt', async () => {
    log({ message: 'order change not published', order_id: 'a' });
    log({ message: 'order change not published', order_id: 'a' });
    log({ message: 'order change published', order_id: 'a' });
    expect(await readTotals()).toMatchObject({ published: 1, unpublished: 2 });
  });

  it('serves four consoles at most, and a closed one makes room', async () => {
    const stop = new AbortController();
    const first = await get('/console/events', { signal: stop.signal });
    const others = await Promise.all([1, 2, 3].map(() => get('/console/events')));
    expect([first, ...others].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await get('/console/events')).status).toBe(503);
    stop.abort();
    await expect.poll(async () => (await get('/console/events')).status).toBe(200);
  });

  it('ends when the console is closed', async () => {
    const stream = messages(await get('/console/events'));
    expect((await stream.next()).value?.event).toBe('snapshot');
    console.close();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});
