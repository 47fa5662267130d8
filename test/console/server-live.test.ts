import { describe, expect, it, vi } from 'vitest';
import { memoryLog, startConsole } from '../doubles/console.ts';

/** The names of the messages of a stream, as they come. */
async function* messages(response: Response): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event] = /^event: (\w+)\ndata: \{/.exec(block) ?? [];
      if (event !== undefined) yield event;
    }
  }
}

async function openStream(get: Awaited<ReturnType<typeof startConsole>>['get']) {
  const stream = messages(await get('/console/api/live'));
  expect((await stream.next()).value).toBe('hello');
  return stream;
}

describe('the live stream of the console', () => {
  it('reports a burst of 500 changes as two, the second one after the last of them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { log, add } = memoryLog();
    const { get, close } = await startConsole({ log });
    const stream = await openStream(get);
    for (let n = 0; n < 500; n += 1) add();
    expect((await stream.next()).value).toBe('changed');
    vi.advanceTimersByTime(1_000);
    expect((await stream.next()).value).toBe('changed');
    await close();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('ends the oldest of more than fifty streams, and never refuses the newest', async () => {
    const { log, add } = memoryLog();
    const { get } = await startConsole({ log });
    const streams = [];
    for (let n = 0; n < 51; n += 1) streams.push(await openStream(get));
    const [oldest, second] = streams;
    expect(await oldest?.next()).toEqual({ done: true, value: undefined });
    add();
    expect((await second?.next())?.value).toBe('changed');
    expect((await streams.at(-1)?.next())?.value).toBe('changed');
  });

  it('reports every ten seconds that a deployed stack may have changed, which has no log to show it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const { get } = await startConsole({ log: undefined });
    const stream = await openStream(get);
    vi.advanceTimersByTime(10_000);
    expect((await stream.next()).value).toBe('changed');
    vi.advanceTimersByTime(10_000);
    expect((await stream.next()).value).toBe('changed');
  });
});
