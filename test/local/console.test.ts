import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Console, createConsole } from '../../local/console/console.ts';
import { createLiveLog, type LiveLog } from '../../local/live-log/live-log.ts';
import { type FakePipeline, startFakePipeline } from './fake-pipeline.ts';

let liveLog: LiveLog;
let console: Console;
let pipeline: FakePipeline;

beforeEach(async () => {
  liveLog = createLiveLog({ write: () => undefined, colours: false });
  log({ message: 'webhook refused', request_id: 'before', status: 403, reason: 'missing' });
  console = createConsole({ liveLog, baseUrl: () => 'http://127.0.0.1:4800' });
  pipeline = await startFakePipeline({ front: console.handle });
});

afterEach(async () => {
  console.close();
  await pipeline[Symbol.asyncDispose]();
});

function log(fields: Record<string, unknown>): void {
  liveLog.onLine(
    'consumer',
    JSON.stringify({ level: 'INFO', timestamp: '2026-11-02T09:31:02.114Z', ...fields }),
  );
}

const get = (path: string, init?: RequestInit) => fetch(`${pipeline.baseUrl}${path}`, init);

/**
 * The status that a request gets which calls the server by this name; fetch does not let anyone choose it.
 */
async function statusFor(host: string, path = '/'): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(pipeline.baseUrl + path, { setHost: false, headers: { host } }, resolve)
    .on('error', reject)
    .end();
  const answer = await promise;
  answer.destroy();
  return answer.statusCode;
}

interface Message {
  readonly event: string;
  readonly data: { readonly [key: string]: unknown };
}

/** The messages of one event stream, as they come. */
async function* messages(response: Response): AsyncGenerator<Message> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, event, data] = /event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

const zero = { accepted: 0, refused: 0, failed: 0, retried: 0, applied: 0, recorded: 0, duplicate: 0 };
const rare = { conflict: 0, quarantined: 0, unrecognised: 0, published: 0, unpublished: 0 };
const nothing = { ...zero, ...rare, waiting: 0, orders: 0 };

describe('the console page', () => {
  it('lets nothing inline and nothing from elsewhere run', async () => {
    const response = await get('/');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const html = await response.text();
    expect(html).not.toMatch(/https?:|style=|<style| on\w+=|<script(?![^>]* src=)/);
  });

  it('serves everything that the page and its scripts refer to', async () => {
    const html = await (await get('/')).text();
    const referred = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? '');
    const seen = new Set<string>();
    for (const path of referred) {
      if (seen.has(path)) continue;
      seen.add(path);
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      const text = await response.text();
      if (!path.endsWith('.js')) continue;
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      referred.push(...[...text.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => `/console/${name}`));
    }
    expect([...seen].filter((path) => path.endsWith('.js')).sort()).toEqual([
      '/console/activity.js',
      '/console/alarms.js',
      '/console/console.js',
      '/console/detail-panel.js',
      '/console/element.js',
      '/console/foreign-text.js',
      '/console/kept-orders.js',
      '/console/overview.js',
      '/console/paths.js',
    ]);
  });

  it('leaves every other path to the pipeline', async () => {
    for (const path of ['/orders/1', '/events/1', '/healthz', '/consoles']) await get(path);
    await get('/webhooks/payments', { method: 'POST', body: '{}' });
    expect(pipeline.requests).toEqual([
      'GET /orders/1 404',
      'GET /events/1 404',
      'GET /healthz 404',
      'GET /consoles 404',
      'POST /webhooks/payments 403',
    ]);
  });

  it('answers to loopback names only, so that no name of a stranger can be pointed at it', async () => {
    for (const host of ['127.0.0.1:4800', 'localhost:4800', 'LOCALHOST', '127.8.9.1', '[::1]:4800']) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
    const strangers = [
      'shop.example',
      'localhost.shop.example',
      '127.0.0.1.shop.example',
      '10.0.0.1:4800',
      '',
    ];
    for (const host of strangers) expect([host, await statusFor(host)]).toEqual([host, 403]);
    expect(await statusFor('shop.example', '/console/events')).toBe(403);
  });

  it('refuses what it has no use for', async () => {
    expect((await get('/', { method: 'POST' })).status).toBe(405);
    expect((await get('/console/..%2fconsole.ts')).status).toBe(404);
    expect((await get('/console/events', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect(await (await get('/', { method: 'HEAD' })).text()).toBe('');
  });
});

describe('the console events', () => {
  it('begin with what happened before, and go on with what happens', async () => {
    const stream = messages(await get('/console/events'));
    const snapshot = (await stream.next()).value as Message;
    expect(snapshot.event).toBe('snapshot');
    expect(snapshot.data).toMatchObject({
      baseUrl: 'http://127.0.0.1:4800',
      totals: { ...nothing, refused: 1 },
      entries: [{ number: 1, message: 'webhook refused', fields: { reason: 'missing' } }],
      attentionSentences: { currency_mixed: 'The events of this order name more than one currency.' },
    });
    log({ message: 'webhook accepted', request_id: 'r1' });
    log({
      message: 'event handled',
      request_id: 'r1',
      outcome: 'applied',
      order_id: 'a\n\nb',
      order_status: 'paid',
    });
    expect((await stream.next()).value).toMatchObject({
      event: 'entry',
      data: { totals: { ...nothing, refused: 1, accepted: 1, waiting: 1 } },
    });
    expect((await stream.next()).value).toMatchObject({
      event: 'entry',
      data: {
        entry: { number: 3, fields: { order_id: 'a\n\nb' } },
        totals: { ...nothing, refused: 1, accepted: 1, applied: 1, orders: 1 },
      },
    });
  });

  it('count an event as waiting only between its acknowledgement and its handling', async () => {
    log({ message: 'event handled', request_id: 'r1', outcome: 'applied' });
    log({ message: 'webhook accepted', request_id: 'r1' });
    log({ message: 'event handled', request_id: 'r1', outcome: 'duplicate' });
    log({ message: 'webhook accepted', request_id: 'r2' });
    log({ message: 'record will be retried', message_id: 'm2' });
    log({ message: 'event handled', outcome: 'invented' });
    log({ message: 'constructor' });
    const snapshot = (await messages(await get('/console/events')).next()).value as Message;
    const counted = { refused: 1, accepted: 2, applied: 1, duplicate: 1, retried: 1, waiting: 1 };
    expect(snapshot.data['totals']).toEqual({ ...nothing, ...counted });
  });

  it('count what the feed published, and each attempt that failed', async () => {
    const change = { mode: 'live', order_id: 'a', sequence: 2, order_status: 'paid' };
    log({ message: 'order change not published', ...change, error_code: 'ThrottlingException' });
    log({ message: 'order change not published', ...change, error_code: 'ThrottlingException' });
    log({ message: 'order change published', ...change, previous_status: 'pending' });
    const snapshot = (await messages(await get('/console/events')).next()).value as Message;
    expect(snapshot.data['totals']).toMatchObject({ published: 1, unpublished: 2 });
  });

  it('go to four consoles at most, and a closed one makes room', async () => {
    const stop = new AbortController();
    const first = await get('/console/events', { signal: stop.signal });
    const others = await Promise.all([1, 2, 3].map(() => get('/console/events')));
    expect([first, ...others].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await get('/console/events')).status).toBe(503);
    stop.abort();
    await expect.poll(async () => (await get('/console/events')).status).toBe(200);
  });

  it('end when the console is closed', async () => {
    const stream = messages(await get('/console/events'));
    expect((await stream.next()).value.event).toBe('snapshot');
    console.close();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});
