import { describe, expect, it } from 'vitest';
import {
  createLiveConnection,
  type LivePorts,
  type LiveSignal,
  type StreamEvents,
} from '../../../console/page/data/live-connection.ts';

const hello = { build: 'build-1' };

/** A connection whose streams, timers and visibility the test controls. */
function scene() {
  const streams: StreamEvents[] = [];
  const timers: { readonly milliseconds: number; readonly task: () => void }[] = [];
  const signals: LiveSignal[] = [];
  const state = { isHidden: false, open: 0 };
  const ports: LivePorts = {
    open(events) {
      streams.push(events);
      state.open += 1;
      return () => {
        state.open -= 1;
      };
    },
    reason: async () => 'No server is running at 127.0.0.1:4800.',
    later(milliseconds, task) {
      const timer = { milliseconds, task };
      timers.push(timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    isHidden: () => state.isHidden,
  };
  const live = createLiveConnection(ports);
  live.subscribe((signal) => signals.push(signal));
  const stream = (): StreamEvents => {
    const last = streams.at(-1);
    if (last === undefined) throw new Error('No stream was opened.');
    return last;
  };
  const elapse = (): number => {
    const [timer] = timers.splice(0, 1);
    timer?.task();
    return timer?.milliseconds ?? Number.NaN;
  };
  const fail = async (): Promise<void> => {
    stream().failed();
    await new Promise(setImmediate);
  };
  return { live, signals, state, stream, elapse, fail, streams };
}

describe('the live connection', () => {
  it('shows the reason when the stream fails, and retries after pauses that grow to ten seconds', async () => {
    const { live, elapse, fail } = scene();
    live.refresh();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      await fail();
      pauses.push(elapse());
    }
    expect(live.current()).toEqual({ state: 'lost', reason: 'No server is running at 127.0.0.1:4800.' });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('takes a reconnection to the same build for a change, and notices a new build', async () => {
    const { live, stream, elapse, fail, signals } = scene();
    live.refresh();
    stream().hello(hello);
    await fail();
    elapse();
    stream().hello(hello);
    expect(signals.at(-1)).toBe('changed');
    await fail();
    elapse();
    stream().hello({ ...hello, build: 'build-2' });
    expect(signals.at(-1)).toBe('new-build');
  });

  it('takes a server without the id of its console for a stranger, which cannot make the page reload', async () => {
    const { live, signals, stream, elapse, fail, state } = scene();
    live.refresh();
    stream().hello({ ...hello, console_id: 'mine' });
    signals.length = 0;
    for (const console_id of ['foreign', undefined]) {
      await fail();
      elapse();
      stream().hello({ build: 'build-2', ...(console_id && { console_id }) });
      await new Promise(setImmediate);
      expect(live.current()).toEqual({
        state: 'lost',
        reason: expect.stringMatching(/^Another server responds at this address: .* Close this tab\.$/),
      });
      expect(state.open).toBe(0);
    }
    expect(new Set(signals)).toEqual(new Set(['connection']));
    elapse();
    stream().hello({ ...hello, console_id: 'mine', build: 'build-2' });
    expect(signals.at(-1)).toBe('new-build');
  });

  it('never has two streams open, however often it is refreshed', async () => {
    const { live, state, fail, elapse, streams } = scene();
    live.refresh();
    live.refresh();
    await fail();
    live.refresh();
    elapse();
    expect(state.open).toBe(1);
    expect(streams.length).toBeGreaterThan(2);
  });
});
