import { setTimeout as pause } from 'node:timers/promises';
import { ConflictError } from '@payhooks/order-client';
import type { Command } from 'commander';
import { replayEventsMax } from '../../lambdas/contract/operations-limits.ts';
import { whenSubjectIsFree } from '../../operator/acts/act.ts';
import type { Page, PagesRequest } from '../../operator/acts/pages.ts';
import { progressNoteMilliseconds, replayRateMax } from '../../operator/limits.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { expecting } from '../options.ts';
import type { Session } from '../session.ts';
import { type Stop, takeStopSignals } from '../stop-signal.ts';
import { type ActOptions, addActOptions } from './run-act.ts';
import { waitFor } from './wait.ts';

/** Ends a run between two pages, after a signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** How a run goes through its pages. */
export interface RunOptions extends ActOptions {
  /** Events per second. */
  readonly rate?: number;
  /** Where an earlier run ended. */
  readonly resume?: string;
}

const rateOption = expecting(`events per second, from 1 to ${replayRateMax}`, (given) =>
  /^\d{1,4}$/.test(given) && Number(given) >= 1 && Number(given) <= replayRateMax ? Number(given) : undefined,
);

/** The options of work in many pages. */
export const addRunOptions = (command: Command): Command =>
  addActOptions(command)
    .option('--rate <events>', 'at most this many events per second', rateOption)
    .option('--resume <cursor>', 'go on where an interrupted run ended');

interface Run extends Pick<RunOptions, 'rate' | 'resume'> {
  readonly stop: Stop;
}

/** Requests page after page, with progress. A run that fails or is interrupted prints how to go on. */
export const pagesOf =
  ({ terminal, now, argv }: Session, { stop: { signal }, rate, resume }: Run) =>
  async <Result extends Page>(work: PagesRequest<Result>): Promise<readonly Result[]> => {
    const { doing, subject = 'an event', isPreview = false } = work;
    const waitUntilStopped = waitFor(terminal, signal);
    // After a signal the response of a busy subject ends the run.
    const wait: typeof waitUntilStopped = async (seconds, busy) => {
      if (!signal.aborted) await waitUntilStopped(seconds, busy);
      if (signal.aborted) throw interrupted();
    };
    const began = now();
    const pages: Result[] = [];
    let cursor = resume;
    let done = 0;
    let noted = began;
    const interrupted = () => new InterruptedError(`${doing} was interrupted after ${done} events.`);
    try {
      for (;;) {
        if (signal.aborted) throw interrupted();
        const limit = rate === undefined ? {} : { limit: Math.min(rate, replayEventsMax) };
        const place = { ...(cursor !== undefined && { cursor }), ...limit };
        const page = await whenSubjectIsFree({ wait, subject }, () => work.request(place));
        pages.push(page);
        done += work.handled(page);
        cursor = page.next_cursor ?? undefined;
        if (cursor === undefined && isPreview && signal.aborted) throw interrupted();
        if (cursor === undefined) return pages;
        const line = progressLine(work, done, now() - began);
        terminal.progress(line);
        if (!terminal.showsProgress && now() - noted >= progressNoteMilliseconds) {
          terminal.note(line);
          noted = now();
        }
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
      throw signal.aborted && error instanceof ConflictError ? interrupted() : error;
    }
  };

const barWidth = 24;

function progressLine(
  { doing, total }: { doing: string; total?: number | undefined },
  done: number,
  ms: number,
) {
  const perSecond = Math.round(done / Math.max(ms / 1000, 1));
  if (total === undefined || total === 0) return `${doing}: ${done} events, ${perSecond}/s …`;
  const filled = Math.min(Math.floor((done / total) * barWidth), barWidth);
  const bar = '#'.repeat(filled) + '.'.repeat(barWidth - filled);
  return `${doing}: [${bar}] ${done} of ${total} events, ${perSecond}/s …`;
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
