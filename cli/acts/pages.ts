import { setTimeout as pause } from 'node:timers/promises';
import { replayEventsMax } from '../../lambdas/contract/operations-limits.ts';
import { type Wait, whenSubjectIsFree } from '../../operator/acts/act.ts';
import type { Page, PagesRequest, Place } from '../../operator/acts/pages.ts';
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

/**
 * Requests page after page, of several parts of the tables at the same time, with progress. A run that fails
 * or is interrupted ends when the open requests have their responses, and prints how all parts go on.
 */
export const pagesOf =
  ({ terminal, now, argv }: Session, { stop: { signal }, rate, resume }: Run) =>
  async <Result extends Page>(work: PagesRequest<Result>): Promise<readonly Result[]> => {
    const { doing, subject = 'an event', isPreview = false } = work;
    let failed: { readonly error: unknown } | undefined;
    const throwIfStopped = () => {
      if (signal.aborted) throw new InterruptedError();
    };
    const wait: Wait = async (seconds, busy) => {
      await waitFor(terminal, signal)(seconds, busy);
      throwIfStopped();
    };
    const began = now();
    const pages: Result[] = [];
    let done = 0;
    // Where each part goes on; one that is done has left.
    const open = new Set((resume?.split(',') ?? beginningsOf(work)).map((at) => ({ at })));
    const limit = rate === undefined ? {} : { limit: Math.ceil(Math.min(rate, replayEventsMax) / open.size) };

    async function request(part: { at: string }): Promise<void> {
      while (failed === undefined) {
        throwIfStopped();
        const place = { ...placeAt(part.at), ...limit };
        const page = await whenSubjectIsFree({ wait, subject }, () => work.request(place));
        pages.push(page);
        done += work.handled(page);
        if (page.next_cursor === null) {
          open.delete(part);
          return;
        }
        part.at = page.next_cursor;
        terminal.progress(progressLine(work, done, now() - began));
        const early = rate === undefined ? 0 : (done / rate) * 1000 - (now() - began);
        if (page.retry_after_seconds != null) await wait(page.retry_after_seconds, subject);
        else if (early > 0) await pause(early, undefined, { signal }).catch(() => {});
      }
    }

    const fail = (error: unknown) => {
      failed ??= { error };
    };
    await Promise.all([...open].map((part) => request(part).catch(fail)));
    if (failed === undefined) return pages;
    const places = [...open].map(({ at }) => at);
    if (resume !== undefined || pages.length > 0) {
      const command = resumeCommand(argv, places.join(','), isPreview);
      const state = isPreview ? 'compared, and nothing was changed' : 'done';
      terminal.note(`${done} events are ${state}. To go on: npx ${command}`);
    }
    if (!(failed.error instanceof InterruptedError)) throw failed.error;
    throw new InterruptedError(`${doing} was interrupted after ${done} events.`);
  };

const beginningsOf = ({ segments = 1 }: Pick<PagesRequest<Page>, 'segments'>): readonly string[] =>
  segments === 1 ? [''] : Array.from({ length: segments }, (_, index) => `${index + 1}/${segments}`);

/** A cursor has no slash. */
function placeAt(at: string): Place {
  if (at === '') return {};
  return at.includes('/') ? { segment: at } : { cursor: at };
}

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
