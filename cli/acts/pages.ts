import { setTimeout as pause } from 'node:timers/promises';
import { replayEventsMax } from '../../lambdas/contract/operations-limits.ts';
import { type Wait, whenSubjectIsFree } from '../../operator/acts/act.ts';
import type { Page, PagesRequest, Place } from '../../operator/acts/pages.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { busySentence } from '../../operator/when-free.ts';
import type { Session } from '../session.ts';
import { InterruptedError, type Stop, takeStopSignals } from '../stop-signal.ts';
import type { Terminal } from '../terminal.ts';
import type { RunOptions } from './options.ts';
import { countText, estimateTotal, type Progress, progressLine } from './progress.ts';

/** Waits for what a consumer may be working on; the signal ends a wait early. */
export const waitFor =
  (terminal: Terminal, signal?: AbortSignal): Wait =>
  async (seconds, subject) => {
    terminal.note(busySentence(seconds, printable(subject)));
    await pause(seconds * 1_000, undefined, signal && { signal }).catch(() => {});
  };

interface Run extends Pick<RunOptions, 'rate' | 'resume'> {
  readonly stop: Stop;
}

/**
 * Requests page after page, of several parts of the tables at the same time, with progress. A run that fails
 * ends when the open requests have their responses, one that is interrupted ends at once; both print how all
 * parts go on.
 */
export const pagesOf =
  ({ terminal, now, argv }: Session, { stop: { signal }, rate, resume }: Run) =>
  async <Result extends Page>(work: PagesRequest<Result>): Promise<readonly Result[]> => {
    const { subject = 'an event', isPreview = false } = work;
    let failed: { readonly error: unknown } | undefined;
    const wait: Wait = async (seconds, busy) => {
      await waitFor(terminal, signal)(seconds, busy);
      signal.throwIfAborted();
    };
    const began = now();
    const pages: Result[] = [];
    let [done, left] = [0, 0];
    let total = work.total === undefined ? undefined : { count: work.total, isEstimate: false };
    const progress = (): Progress => ({ done, milliseconds: now() - began, total });
    // Where each part goes on; one that is done has left.
    const open = new Set((resume?.split(',') ?? beginningsOf(work)).map((at) => ({ at })));
    const limit = rate === undefined ? {} : { limit: Math.ceil(Math.min(rate, replayEventsMax) / open.size) };

    const requestPage = (place: Place): Promise<Result> => {
      signal.throwIfAborted();
      return whenSubjectIsFree({ wait, subject }, () => work.request({ ...place, ...limit }));
    };

    async function requestPart(part: { at: string }): Promise<void> {
      while (failed === undefined) {
        const page = await requestPage(placeAt(part.at));
        pages.push(page);
        done += work.handled(page);
        left += work.leftIn?.(page) ?? 0;
        if (total !== undefined && done > total.count) total = undefined;
        if (page.next_cursor === null) {
          open.delete(part);
          return;
        }
        part.at = page.next_cursor;
        terminal.progress(progressLine(work, progress(), { hasBar: terminal.showsProgress }));
        const early = rate === undefined ? 0 : (done / rate) * 1000 - (now() - began);
        if (page.retry_after_seconds != null) await wait(page.retry_after_seconds, subject);
        else if (early > 0) await pause(early, undefined, { signal }).catch(() => {});
      }
    }

    async function requestAll(): Promise<void> {
      if (total === undefined && resume === undefined && isPreview && work.isOfTables) {
        const count = await estimateTotal(work, requestPage).catch(() => undefined);
        total = count === undefined ? undefined : { count, isEstimate: true };
      }
      await Promise.all([...open].map((part) => requestPart(part).catch(fail)));
    }
    const fail = (error: unknown) => {
      failed ??= { error };
    };
    // What still waits for a response, or for credentials, holds nobody up.
    await Promise.race([requestAll(), whenAborted(signal)]).catch(fail);
    if (failed === undefined) return pages;
    const stopped = signal.aborted;
    if (!stopped && resume === undefined && pages.length === 0) throw failed.error;
    const places = [...open].map(({ at }) => at).join(',');
    const command = goOnCommand(argv, places, isPreview);
    const text = `${stoppedSentence(work, { ...progress(), done: done - left })}\nTo go on: npx ${command}`;
    if (stopped) throw new InterruptedError(text);
    terminal.note(text);
    throw failed.error;
  };

function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

/** The server may go on with a request that was given up. */
function stoppedSentence(
  work: Pick<PagesRequest<Page>, 'doing' | 'done' | 'what' | 'isPreview'>,
  progress: Progress,
): string {
  const { doing, done, isPreview } = work;
  const outcome = isPreview ? `nothing was ${done}` : `at least ${countText(work, progress)} were ${done}`;
  return `Stopped while ${doing.toLowerCase()}; ${outcome}.`;
}

const beginningsOf = ({ segments = 1 }: Pick<PagesRequest<Page>, 'segments'>): readonly string[] =>
  segments === 1 ? [''] : Array.from({ length: segments }, (_, index) => `${index + 1}/${segments}`);

/** A cursor has no slash. */
function placeAt(at: string): Place {
  if (at === '') return {};
  return at.includes('/') ? { segment: at } : { cursor: at };
}

/**
 * The command that goes on with what was typed: at the cursors, or from the beginning when its preview was
 * not complete and nothing was done yet.
 */
function goOnCommand(argv: readonly string[], cursors: string, isPreview: boolean): string {
  const isAct = !argv.includes('--dry-run') && !argv.includes('--verify');
  if (isPreview && isAct) return ['payhooks', ...argv].map(shellQuoted).join(' ');
  const kept = argv.filter((word, index) => !/^--resume(=|$)/.test(word) && argv[index - 1] !== '--resume');
  const resume = cursors === '' ? [] : ['--resume', cursors];
  return ['payhooks', ...kept, ...resume].map(shellQuoted).join(' ');
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
