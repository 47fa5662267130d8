import { setTimeout as pause } from 'node:timers/promises';
import { ConflictError } from '@payhooks/order-client';
import { replayEventsMax } from '../lambdas/contract/operations-limits.ts';
import { progressNoteMilliseconds } from '../operator/limits.ts';
import type { ExitCode } from '../operator/operator-error.ts';
import { waitForConsumer, whenSubjectIsFree } from './busy.ts';
import { resumeCommand } from './resume.ts';
import type { Session } from './session.ts';
import { type Stop, takeStopSignals } from './stop-signal.ts';

/** Ends a run between two pages, after a signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

interface Page {
  readonly next_cursor: string | null;
  /** After which the run can go on; without it at once. */
  readonly retry_after_seconds?: number | null;
}

export interface PagesRequest<Result extends Page> {
  /** One page, from a cursor on, of at most so many events. */
  readonly request: (place: { readonly cursor?: string; readonly limit?: number }) => Promise<Result>;
  /** Where an earlier run ended. */
  readonly cursor?: string | undefined;
  /** Events per second. */
  readonly rate?: number | undefined;
  readonly handled: (page: Result) => number;
  /** Such as `Replaying`. */
  readonly doing: string;
  /** The event or order, if it is only one. */
  readonly subject?: string | undefined;
  /** How many there are in all, where that is known. */
  readonly total?: number | undefined;
  /** Nothing is done yet. */
  readonly isPreview?: boolean;
}

/** Requests page after page, with progress. A run that fails or is interrupted prints how to go on. */
export async function requestPages<Result extends Page>(
  { terminal, now, argv }: Session,
  stop: Stop,
  run: PagesRequest<Result>,
): Promise<readonly Result[]> {
  const { rate, cursor: start, subject = 'an event' } = run;
  const waiting = { terminal, subject, signal: stop.signal };
  const began = now();
  const pages: Result[] = [];
  let cursor: string | undefined = start;
  let done = 0;
  let noted = began;
  const interrupted = () => new InterruptedError(`${run.doing} was interrupted after ${done} events.`);
  try {
    for (;;) {
      const limit = rate === undefined ? {} : { limit: Math.min(rate, replayEventsMax) };
      const place = { ...(cursor !== undefined && { cursor }), ...limit };
      const page = await whenSubjectIsFree(waiting, () => run.request(place));
      pages.push(page);
      done += run.handled(page);
      cursor = page.next_cursor ?? undefined;
      if (cursor === undefined) return pages;
      const line = progressLine(run, done, now() - began);
      terminal.progress(line);
      if (!terminal.showsProgress && now() - noted >= progressNoteMilliseconds) {
        terminal.note(line);
        noted = now();
      }
      const early = rate === undefined ? 0 : (done / rate) * 1000 - (now() - began);
      if (page.retry_after_seconds != null) await waitForConsumer(waiting, page.retry_after_seconds);
      else if (early > 0) await pause(early, undefined, { signal: stop.signal }).catch(() => {});
      if (stop.signal.aborted) throw interrupted();
    }
  } catch (error) {
    if (cursor !== undefined) {
      const command = resumeCommand(argv, cursor, run.isPreview === true);
      terminal.note(`${done} events are done. To go on: npx ${command}`);
    }
    throw stop.signal.aborted && error instanceof ConflictError ? interrupted() : error;
  }
}

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
