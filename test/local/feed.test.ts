import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type BusEvent, closeServer, type EventLog, listen } from '@payhooks/cdk-local';
import { openEventLog } from '@payhooks/cdk-local/emulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFeed, type Feed } from '../../local/feed/feed.ts';
import { type FeedReader, readFeed } from './feed-reader.ts';

let log: EventLog;
let feed: Feed;
let server: ReturnType<typeof createServer>;
let baseUrl: string;
const readers: FeedReader[] = [];
let responses: ServerResponse[];

beforeEach(async () => {
  log = openEventLog(undefined, { eventsMax: 500, bytesMax: 10_000_000 });
  feed = createFeed(log);
  responses = [];
  server = createServer((incoming, response) => {
    responses.push(response);
    if (!feed.handle(incoming, response)) response.writeHead(404).end('not the feed');
  });
  baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.leave();
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

/** The answer to a request with this Host and these headers; fetch does not let anyone choose a Host. */
async function statusFor(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const outgoing = request(baseUrl + path, {
    method,
    setHost: false,
    headers: { host: 'localhost', ...headers },
  });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.destroy();
  return answer.statusCode ?? 0;
}

describe('the feed', () => {
  it('tells of what comes, each event as one line, whatever is in it', async () => {
    append('before');
    const reader = await follow();
    append('one');
    append('two', 'three');
    await expect.poll(() => ids(reader)).toEqual(['one', 'two', 'three']);
    expect(reader.events[0]).toEqual(event('one'));
    expect(reader.lastEventId()).toBe('three');
  });

  it('goes on behind the event that the reader had last', async () => {
    append('one', 'two', 'three');
    const reader = await follow({ lastEventId: 'one' });
    append('four');
    await expect.poll(() => ids(reader)).toEqual(['two', 'three', 'four']);
    expect(reader.comments).toEqual([]);
  });

  it('gives a reader a place before its first event, so that it misses none when it comes back', async () => {
    const early = await follow();
    expect(early.lastEventId()).toBe('0');
    append('one');
    await early.leave();
    const late = await follow();
    expect(late.lastEventId()).toBe('one');
    await late.leave();
    append('two');
    const again = await follow({ lastEventId: late.lastEventId() });
    await expect.poll(() => ids(again)).toEqual(['two']);
    const first = await follow({ lastEventId: '0' });
    await expect.poll(() => ids(first)).toEqual(['one', 'two']);
    expect(first.comments).toEqual([]);
  });

  it('gives all that it keeps to a reader whose last event it does not know, with a word of warning', async () => {
    append('one', 'two');
    const reader = await follow({ lastEventId: 'of another run' });
    await expect.poll(() => ids(reader)).toEqual(['one', 'two']);
    expect(reader.comments).toEqual([
      'Older events are no longer kept; GET /orders?updated_since=… lists what has changed.',
    ]);
  });

  it('replays more than one page, in order', async () => {
    const all = Array.from({ length: 450 }, (_, n) => `event-${n}`);
    append(...all);
    const reader = await follow({ lastEventId: '0' });
    await expect.poll(() => ids(reader)).toEqual(all);
  });

  it('keeps live and sandbox apart', async () => {
    const [live, sandbox] = [await follow(), await follow({ query: '?mode=sandbox' })];
    log.append([event('1'), event('2', 'payhooks.sandbox'), event('3', 'somebody.else'), event('4')]);
    await expect.poll(() => [ids(live), ids(sandbox)]).toEqual([['1', '4'], ['2']]);
  });

  it('holds back what a slow reader does not take, and loses none of it', async () => {
    const outgoing = request(`${baseUrl}/feed`).end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const all = Array.from({ length: 200 }, (_, n) => `event-${n}`);
    log.append(all.map((id) => event(id, 'payhooks', 'x'.repeat(40_000))));
    // A page of the log, and not the eight megabytes that wait.
    expect(responses[0]?.writableLength).toBeLessThan(20 * 41_000);
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => [...text.matchAll(/^id: (.*)\ndata: /gm)].map(([, id]) => id)).toEqual(all);
    answer.destroy();
  });

  it('ends when it is closed', async () => {
    const reader = await follow();
    feed.close();
    await reader.ended;
  });

  it('leaves every other path alone', async () => {
    expect(await statusFor('/feeds', {})).toBe(404);
    expect(await statusFor('//', {})).toBe(404);
  });
});

describe('the feed refuses', () => {
  it.each([
    ['a name of a stranger', '/feed', { host: 'rebound.example' }, 'GET', 403],
    ['a page of another site', '/feed', { 'sec-fetch-site': 'cross-site' }, 'GET', 403],
    ['what is no reading', '/feed', {}, 'POST', 405],
    ['a mode that there is not', '/feed?mode=test', {}, 'GET', 400],
    ['a parameter that it does not know', '/feed?since=1', {}, 'GET', 400],
  ])('%s', async (_, path, headers, method, status) => {
    expect(await statusFor(path, headers as Record<string, string>, method)).toBe(status);
  });

  it('a seventeenth reader, until one leaves', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => follow()));
    await expect(follow()).rejects.toThrow('The feed answers 503');
    await all[0]?.leave();
    await expect.poll(() => statusFor('/feed', {})).toBe(200);
  });
});
