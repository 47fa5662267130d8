import { describe, expect, it, vi } from 'vitest';
import { memoryLog, startConsole } from '../doubles/console.ts';

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

/** The messages of a stream up to the first one that satisfies the condition. */
async function readUntil(stream: AsyncGenerator<Message>, isLast: (message: Message) => boolean) {
  const read: Message[] = [];
  for (;;) {
    const { value, done } = await stream.next();
    if (done) return read;
    read.push(value);
    if (isLast(value)) return read;
  }
}

describe('the live stream of the console', () => {
  it('begins with the build of the page and the latest entries, and goes on with each new one', async () => {
    const { log, add } = memoryLog();
    add('webhook refused', { reason: 'missing' });
    const { get } = await startConsole({ log });
    const response = await get('/console/api/live');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const stream = messages(response);
    const first = await readUntil(stream, ({ event }) => event === 'entry');
    expect(first).toMatchObject([
      { event: 'hello', data: { build: 'b1', started_at: expect.any(String) } },
      { event: 'entry', data: { number: 1, message: 'webhook refused', fields: { reason: 'missing' } } },
    ]);
    add('event handled', { order_id: 'a\n\nevent: hello\ndata: {}' });
    expect((await stream.next()).value).toMatchObject({
      event: 'entry',
      data: { number: 2, fields: { order_id: 'a\n\nevent: hello\ndata: {}' } },
    });
    expect((await stream.next()).value).toEqual({ event: 'changed', data: {} });
  });

  it('reports a burst of 500 entries as a few changes, the last of them after the last entry', async () => {
    const { log, add } = memoryLog();
    const { get } = await startConsole({ log });
    const stream = messages(await get('/console/api/live'));
    await stream.next();
    for (let n = 0; n < 500; n += 1) add('event handled');
    const read = await readUntil(stream, ({ event, data }) => event === 'entry' && data['number'] === 500);
    const after = await readUntil(stream, ({ event }) => event === 'changed');
    expect(read.filter(({ event }) => event === 'changed').length).toBeLessThanOrEqual(1);
    expect(after).toEqual([{ event: 'changed', data: {} }]);
  });

  it('keeps nothing in memory for a page that does not read, and catches up when it reads again', async () => {
    const { log, add } = memoryLog();
    const { get } = await startConsole({ log });
    const stalled = await get('/console/api/live');
    const text = 'x'.repeat(100_000);
    for (let n = 0; n < 400; n += 1) {
      add('event handled', { text });
      if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const stream = messages(stalled);
    const read = await readUntil(stream, ({ event, data }) => event === 'entry' && data['number'] === 400);
    const entries = read.filter(({ event }) => event === 'entry');
    // 400 entries were 40 MB; those that the log no longer had are left out.
    expect(entries.length).toBeLessThan(400);
    const numbers = entries.map(({ data }) => Number(data['number']));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('ends the oldest of more than fifty streams, and never refuses the newest', async () => {
    const { log, add } = memoryLog();
    const { get } = await startConsole({ log });
    const streams = [];
    for (let n = 0; n < 51; n += 1) {
      const stream = messages(await get('/console/api/live'));
      expect((await stream.next()).value?.event).toBe('hello');
      streams.push(stream);
    }
    const [oldest, second] = streams;
    expect(await oldest?.next()).toEqual({ done: true, value: undefined });
    add('event handled');
    expect((await second?.next())?.value).toMatchObject({ event: 'entry' });
    expect((await streams.at(-1)?.next())?.value).toMatchObject({ event: 'entry' });
  });

  it('reports every ten seconds that a deployed stack may have changed, which has no log to show it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const { get } = await startConsole({ log: undefined });
    const stream = messages(await get('/console/api/live'));
    expect((await stream.next()).value?.event).toBe('hello');
    vi.advanceTimersByTime(10_000);
    expect((await stream.next()).value).toEqual({ event: 'changed', data: {} });
    vi.advanceTimersByTime(10_000);
    expect((await stream.next()).value).toEqual({ event: 'changed', data: {} });
  });

  it('ends when the console is closed, which forgets the log', async () => {
    const { log, listeners } = memoryLog();
    const { get, close } = await startConsole({ log });
    const stream = messages(await get('/console/api/live'));
    expect((await stream.next()).value?.event).toBe('hello');
    await close();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(listeners.size).toBe(0);
  });
});
