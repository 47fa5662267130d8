import { ConflictError } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { InterruptedError, interruptible, pagesOf } from '../../cli/acts/pages.ts';
import type { Session } from '../../cli/session.ts';
import { recordTerminal } from '../doubles/terminal.ts';

/** Three pages of ten events; each request takes `milliseconds` of the session's clock. */
function setUp({ milliseconds = 1_000, showsProgress = false } = {}) {
  const { terminal, notes } = recordTerminal();
  const shown: string[] = [];
  let now = 0;
  const session = {
    terminal: { ...terminal, showsProgress, progress: (line: string) => shown.push(line) },
    now: () => now,
    argv: ['replay', '--since', '2026-11-01T00:00:00Z', '--resume', '0', '--reason', 'a fix', '--rate=10'],
  } as unknown as Session;
  const requested: object[] = [];
  const run = {
    async request(place: { cursor?: string; limit?: number }) {
      requested.push(place);
      now += milliseconds;
      const next = Number(place.cursor ?? 0) + 1;
      return { handled: 10, next_cursor: next === 3 ? null : String(next) };
    },
    handled: (page: { handled: number }) => page.handled,
    doing: 'Replaying',
  };
  return { session, run, requested, shown, notes };
}

const goesOn = { signal: new AbortController().signal, exitCode: () => undefined, [Symbol.dispose]() {} };

describe('the pages of a run', () => {
  it('requests page after page from a cursor on', async () => {
    const { session, run, requested } = setUp();
    expect(await pagesOf(session, { stop: goesOn, resume: '1' })(run)).toHaveLength(2);
    expect(requested).toEqual([{ cursor: '1' }, { cursor: '2' }]);
  });

  it('shows a bar when the number of events is known, and a count when it is not', async () => {
    const known = setUp({ showsProgress: true });
    await pagesOf(known.session, { stop: goesOn })({ ...known.run, total: 30 });
    expect(known.shown).toEqual([
      'Replaying: [########................] 10 of 30 events, 10/s …',
      'Replaying: [################........] 20 of 30 events, 10/s …',
    ]);
    const unknown = setUp({ showsProgress: true });
    await pagesOf(unknown.session, { stop: goesOn })(unknown.run);
    expect(unknown.shown[0]).toBe('Replaying: 10 events, 10/s …');
  });

  it('prints a line now and then where no bar can be shown', async () => {
    const { session, run, notes } = setUp({ milliseconds: 6_000 });
    await pagesOf(session, { stop: goesOn })(run);
    expect(notes).toEqual(['Replaying: 20 events, 2/s …']);
  });

  it('requests no more events at a time than the rate allows in a second', async () => {
    const { session, run, requested } = setUp();
    await pagesOf(session, { stop: goesOn, rate: 10 })(run);
    expect(requested[0]).toEqual({ limit: 10 });
  });

  /** A signal that comes while the first page is requested. */
  function interruptedIn<Run extends ReturnType<typeof setUp>['run']>(run: Run) {
    const interruption = new AbortController();
    const request: Run['request'] = async (place) => {
      interruption.abort();
      return run.request(place);
    };
    return { stop: { ...goesOn, signal: interruption.signal }, interrupted: { ...run, request } };
  }

  it('ends between two pages after a signal, and prints the command that goes on', async () => {
    const { session, run, notes, requested } = setUp();
    const { stop, interrupted } = interruptedIn(run);
    await expect(pagesOf(session, { stop })(interrupted)).rejects.toThrow(InterruptedError);
    expect(requested).toHaveLength(1);
    const command = "replay --since 2026-11-01T00:00:00Z --reason 'a fix' --rate=10";
    expect(notes).toEqual([`10 events are done. To go on: npx payhooks ${command} --resume 1`]);
  });

  it('waits as long as a page says before it requests the next one', async () => {
    const { session, run, notes, requested } = setUp();
    const waiting = {
      ...run,
      request: async (place: { cursor?: string }) => ({
        ...(await run.request(place)),
        retry_after_seconds: place.cursor === undefined ? 0.01 : null,
      }),
    };
    await pagesOf(session, { stop: goesOn })({ ...waiting, subject: 'order-1' });
    expect(requested).toHaveLength(3);
    expect(notes).toEqual(['Waiting 0.01 s: a consumer may still be working on order-1.']);
  });

  const busy = new ConflictError({
    ...{ type: 'about:blank', title: 'Busy', status: 409, detail: 'busy' },
    retry_after_seconds: 0.01,
  });

  it('ends while it waits when it is interrupted', async () => {
    const { session, run } = setUp();
    const stop = { ...goesOn, signal: AbortSignal.abort() };
    const failing = pagesOf(session, { stop: stop })({ ...run, request: () => Promise.reject(busy) });
    await expect(failing).rejects.toThrow(InterruptedError);
  });

  it('goes on with the preview when that was interrupted', async () => {
    const { session, run, notes } = setUp();
    const { stop, interrupted } = interruptedIn(run);
    await pagesOf(session, { stop })({ ...interrupted, isPreview: true }).catch(() => {});
    expect(notes[0]).toMatch(/^10 events are compared, and nothing was changed\..* --dry-run --resume 1$/);
  });

  it('are not requested after a signal, and a preview in one page ends there', async () => {
    const { session, run, requested } = setUp();
    const { stop, interrupted } = interruptedIn(run);
    const preview = pagesOf(session, { stop, resume: '2' })({ ...interrupted, isPreview: true });
    await expect(preview).rejects.toThrow(InterruptedError);
    await expect(pagesOf(session, { stop })(run)).rejects.toThrow(InterruptedError);
    expect(requested).toEqual([{ cursor: '2' }]);
  });
});

describe('interruptible', () => {
  it('gives an interrupted command the exit code of its signal', async () => {
    const { session, run, notes } = setUp();
    const code = await interruptible(session, async (stop) => {
      const request = async (place: object) => {
        process.emit('SIGINT', 'SIGINT');
        return run.request(place);
      };
      await pagesOf(session, { stop: stop })({ ...run, request });
      return 0;
    });
    expect(code).toBe(130);
    expect(notes).toContain('Replaying was interrupted after 10 events.');
  });

  it('passes other errors on', async () => {
    const { session } = setUp();
    const failing = interruptible(session, () => Promise.reject(new Error('no connection')));
    await expect(failing).rejects.toThrow('no connection');
  });
});
