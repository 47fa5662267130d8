import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type BusEvent, closeServer, type EventLog, listen } from '@payhooks/cdk-local';
import { openEventLog } from '@payhooks/cdk-local/emulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFeed, type Feed } from '../../../local/feed/feed.ts';
import { type FeedReader, readFeed } from './feed-reader.ts';

let log: EventLog;
let feed: Feed;
let server: ReturnType<typeof createServer>;
let baseUrl: string;
const readers: FeedReader[] = [];
let responses: ServerResponse[];

beforeEach(async () => {
  log = openEventLog(undefined, 500);
  feed = createFeed(log);
  responses = [];
  server = createServer((incoming, response) => {
    responses.push(response);
    feed.handle(incoming, response);
  });
  baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
  feed.close();
  await closeServer(server);
  log.close();
});

const event = (id: string, source = 'payhooks', text = ''): BusEvent => ({
  version: '0',
  id,
  'detail-type': 'OrderStatusChanged',
  source,
  account: '000000000000',
  time: '2026-11-02T09:31:02Z',
  region: 'us-east-1',
  resources: [],
  detail: { order_id: 'a\n\ndata: b', text },
});
const append = (...ids: string[]): void => log.append(ids.map((id) => event(id)));

async function follow(options: Parameters<typeof readFeed>[1] = {}): Promise<FeedReader> {
  const reader = await readFeed(baseUrl, options);
  readers.push(reader);
  return reader;
}
const ids = ({ events }: FeedReader): string[] => events.map(({ id }) => id);

/** The status of a request with these headers; `fetch` does not let a caller choose a Host. */
async function statusFor(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const outgoing = request(baseUrl + path, {
    method,
    setHost: false,
    headers: { host: 'localhost', ...headers },
  });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.destroy();
  return response.statusCode ?? 0;
}

describe('the local feed', () => {
  it('sends each new event as one line, whatever it contains', async () => {
    append('before');
    const reader = await follow();
    append('one');
    append('two', 'three');
    await expect.poll(() => ids(reader)).toEqual(['one', 'two', 'three']);
    expect(reader.events[0]).toEqual(event('one'));
    expect(reader.lastEventId()).toBe('three');
  });

  it('gives a reader an id before its first event, so that it misses nothing when it reconnects', async () => {
    const early = await follow();
    expect(early.lastEventId()).toBe('0');
    append('one');
    await early.close();
    const late = await follow();
    expect(late.lastEventId()).toBe('one');
    await late.close();
    append('two');
    const again = await follow({ lastEventId: late.lastEventId() });
    append('three');
    await expect.poll(() => ids(again)).toEqual(['two', 'three']);
    const first = await follow({ lastEventId: '0' });
    await expect.poll(() => ids(first)).toEqual(['one', 'two', 'three']);
    expect([again.comments, first.comments]).toEqual([[], []]);
  });

  it('sends everything that it keeps, with a warning, to a reader whose last event it does not know', async () => {
    append('one', 'two');
    const reader = await follow({ lastEventId: 'of another run' });
    await expect.poll(() => ids(reader)).toEqual(['one', 'two']);
    expect(reader.comments).toEqual([
      'Older events are no longer kept; GET /orders?updated_since=… lists what has changed.',
    ]);
  });

  it('separates live and sandbox events', async () => {
    const [live, sandbox] = [await follow(), await follow({ query: '?mode=sandbox' })];
    log.append([event('1'), event('2', 'payhooks.sandbox'), event('3', 'other.source'), event('4')]);
    await expect.poll(() => [ids(live), ids(sandbox)]).toEqual([['1', '4'], ['2']]);
  });

  it('does not buffer events for a slow reader, and loses none', async () => {
    const outgoing = request(`${baseUrl}/feed`).end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const all = Array.from({ length: 200 }, (_, n) => `event-${n}`);
    log.append(all.map((id) => event(id, 'payhooks', 'x'.repeat(40_000))));
    // One page of the log, not all eight megabytes.
    expect(responses[0]?.writableLength).toBeLessThan(20 * 41_000);
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => [...text.matchAll(/^id: (.*)\ndata: /gm)].map(([, id]) => id)).toEqual(all);
    response.destroy();
  });

  it('ends its streams when it is closed', async () => {
    const reader = await follow();
    feed.close();
    await reader.ended;
  });

  it.each([
    ['a foreign host name', '/feed', { host: 'rebound.example' }, 'GET', 403],
    ['a host name that ends like one of this machine', '/feed', { host: 'notlocalhost' }, 'GET', 403],
    ['a page of another site', '/feed', { 'sec-fetch-site': 'cross-site' }, 'GET', 403],
    ['a POST', '/feed', {}, 'POST', 405],
    ['an unknown mode', '/feed?mode=test', {}, 'GET', 400],
    ['an unknown parameter', '/feed?since=1', {}, 'GET', 400],
  ] as const)('refuses %s', async (_, path, headers, method, status) => {
    expect(await statusFor(path, headers, method)).toBe(status);
  });

  it('refuses a seventeenth reader until one leaves', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => follow()));
    await expect(follow()).rejects.toThrow('The feed returned 503');
    await all[0]?.close();
    await expect.poll(() => statusFor('/feed', {})).toBe(200);
  });
});
