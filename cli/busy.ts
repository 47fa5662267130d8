import { setTimeout as pause } from 'node:timers/promises';
import { ConflictError } from '@payhooks/order-client';
import { printable } from '../operator/printable.ts';
import { busySentence, whenFree } from '../operator/when-free.ts';
import type { Terminal } from './terminal.ts';

interface Waiting {
  readonly terminal: Terminal;
  /** What a consumer may be working on, such as the id of an event. */
  readonly subject: string;
  /** Ends a wait early. */
  readonly signal?: AbortSignal;
}

export async function waitForConsumer(
  { terminal, subject, signal }: Waiting,
  seconds: number,
): Promise<void> {
  terminal.note(busySentence(seconds, printable(subject)));
  await pause(seconds * 1_000, undefined, signal && { signal }).catch(() => {});
}

/** Repeats a request to the operations API while its subject is busy. */
export const whenSubjectIsFree = <Result>(
  waiting: Waiting,
  request: () => Promise<Result>,
): Promise<Result> =>
  whenFree({
    request,
    retryAfterSecondsOf: (error) =>
      error instanceof ConflictError && !waiting.signal?.aborted ? error.retryAfterSeconds : undefined,
    wait: (seconds) => waitForConsumer(waiting, seconds),
  });
