import { setTimeout as pause } from 'node:timers/promises';
import { replayEventsMax } from '../../lambdas/contract/operations-limits.ts';
import { type Wait, whenSubjectIsFree } from '../../operator/acts/act.ts';
import type { Page, PagesRequest } from '../../operator/acts/pages.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { busySentence } from '../../operator/when-free.ts';
import type { Session } from '../session.ts';
import { type Stop, takeStopSignals } from '../stop-signal.ts';
import type { Terminal } from '../terminal.ts';
import type { RunOptions } from './options.ts';

/** Waits for what a consumer may be working on; the signal ends a wait early. */
export const waitFor =
  (terminal: Terminal, signal?: AbortSignal): Wait =>
  async (seconds, subject) => {
    terminal.note(busySentence(seconds, printable(subject)));
    await pause(seconds * 1_000, undefined, signal && { signal }).catch(() => {});
  };

/** Ends a run between two pages, after a signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

interface Run extends Pick<RunOptions, 'rate' | 'resume'> {
  readonly stop: Stop;
}

/** Requests page after page, with progress. A run that fails or is interrupted prints how to go on. */
export const pagesOf =
  ({ terminal, now, argv }: Session, { stop: { signal }, rate, resume }: Run) =>
  async <Result extends Page>(work: PagesRequest<Result>): Promise<readonly Result[]> => {
    const { doing, subject = 'an event', isPreview = false } = work;
    const throwIfStopped = () => {
      if (signal.aborted) throw new InterruptedError(`${doing} was interrupted after ${done} events.`);
    };
    const wait: Wait = async (seconds, busy) => {
      await waitFor(terminal, signal)(seconds, busy);
      throwIfStopped();
    };
    const began = now();
    const pages: Result[] = [];
    let cursor = resume;
    let done = 0;
    try {
      for (;;) {
        throwIfStopped();
        const limit = rate === undefined ? {} : { limit: Math.min(rate, replayEventsMax) };
        const place = { ...(cursor !== undefined && { cursor }), ...limit };
        const page = await whenSubjectIsFree({ wait, subject }, () => work.request(place));
        pages.push(page);
        done += work.handled(page);
        cursor = page.next_cursor ?? undefined;
        if (cursor === undefined) return pages;
        terminal.progress(progressLine(work, done, now() - began));
        const early = rate === undefined ? 0 : (done / rate) * 1000 - (now() - began);
        if (page.retry_after_seconds != null) await wait(page.retry_after_seconds, subject);
        else if (early > 0) await pause(early, undefined, { signal }).catch(() => {});
      }
    } catch (error) {
      if (cursor !== undefined) {
        const command = resumeCommand(argv, cursor, isPreview);
        const state = isPreview ? 'compared, and nothing was changed' : 'done';
        terminal.note(`${done} events are ${state}. To go on: npx ${command}`);
      }
      throw error;
    }
  };

/** Such as `Replaying: 10 of 30 events, 10/s …` */
function progressLine(
  { doing, total }: Pick<PagesRequest<Page>, 'doing' | 'total'>,
  done: number,
  ms: number,
) {
  const of = total ? ` of ${total}` : '';
  return `${doing}: ${done}${of} events, ${Math.round(done / Math.max(ms / 1000, 1))}/s …`;
}

/**
 * The command that goes on at a cursor: the one that was typed. What goes on from an interrupted preview is
 * the preview, because nothing was done yet.
 */
function resumeCommand(argv: readonly string[], cursor: string, isPreview: boolean): string {
  const kept = argv.filter((word, index) => !/^--resume(=|$)/.test(word) && argv[index - 1] !== '--resume');
  const preview = isPreview && !argv.includes('--dry-run') ? ['--dry-run'] : [];
  return ['payhooks', ...kept, ...preview, '--resume', cursor].map(shellQuoted).join(' ');
}

/** Runs long work that a signal may interrupt; an interrupted command has the exit code of the signal. */
export async function interruptible(
  { terminal }: Session,
  work: (stop: Stop) => Promise<ExitCode>,
): Promise<ExitCode> {
  using stop = takeStopSignals();
  try {
    return await work(stop);
  } catch (error) {
    const code = stop.exitCode();
    if (!(error instanceof InterruptedError) || code === undefined) throw error;
    terminal.note(error.message);
    return code;
  }
}
