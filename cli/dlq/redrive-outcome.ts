import { setTimeout as pause } from 'node:timers/promises';
import type { MoveTask } from '../../operator/aws/dead-letter-queue.ts';
import { nameOf } from '../../operator/dead-letters/dead-letter.ts';
import { readRetries } from '../../operator/dead-letters/retry-log.ts';
import { explainError } from '../../operator/explain-error.ts';
import type { CommonOptions, Session } from '../session.ts';
import type { OpenQueue } from './open.ts';

export interface RedriveOutcome {
  /** What the consumer has not handled yet, or failed to. */
  readonly inEventQueue: number;
  readonly inDeadLetterQueue: number;
  /** Messages that failed since the redrive began, by error. */
  readonly failing: readonly { readonly error: string; readonly messages: number }[];
}

/** Watches until the event queue is empty, for a while: what fails returns only after four hours. */
export async function watchOutcome(
  session: Session,
  { queue, stack }: OpenQueue,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<RedriveOutcome> {
  const until = performance.now() + session.waits.redriveWatchMilliseconds;
  let waiting = await queue.eventQueueDepth();
  while (waiting > 0 && performance.now() < until && !signal.aborted) {
    session.terminal.progress(`Waiting for the consumer, ${waiting} messages left …`);
    await pause(session.waits.redrivePollMilliseconds, undefined, { signal }).catch(() => undefined);
    waiting = await queue.eventQueueDepth();
  }
  const retries = await readRetries(stack, { since }).catch((error: unknown) => {
    session.terminal.note(`The errors are not known: ${explainError(error, session.env).message}`);
    return [];
  });
  const failing = [...Map.groupBy(retries, nameOf)].map(([error, all]) => ({ error, messages: all.length }));
  return { inEventQueue: waiting, inDeadLetterQueue: await queue.depth(), failing };
}

export const messages = (count: number): string => (count === 1 ? '1 message' : `${count} messages`);

interface Result {
  readonly task: MoveTask;
  readonly outcome: RedriveOutcome;
}

export function printOutcome(
  { terminal }: Session,
  { task, outcome }: Result,
  { json }: CommonOptions,
): void {
  const { inEventQueue, inDeadLetterQueue, failing } = outcome;
  if (json) {
    terminal.json({
      status: task.status,
      moved: task.moved,
      failure_reason: task.failureReason ?? null,
      in_event_queue: inEventQueue,
      in_dead_letter_queue: inDeadLetterQueue,
      failing,
    });
    return;
  }
  const reason = task.failureReason === undefined ? '' : ` (${task.failureReason})`;
  const ends = task.status === 'COMPLETED' ? '' : `; the task is ${task.status.toLowerCase()}${reason}`;
  terminal.print(`Moved ${messages(task.moved)}${ends}.`);
  const left = `${inEventQueue} in the event queue, ${inDeadLetterQueue} in the dead-letter queue`;
  terminal.print(inEventQueue + inDeadLetterQueue === 0 ? 'Both queues are empty.' : `Now: ${left}.`);
  for (const { error, messages: count } of failing) {
    terminal.print(terminal.style('yellow', `${count} × ${error} since the redrive began`));
  }
  if (inEventQueue > 0 || failing.length > 0) {
    terminal.print('What fails is tried again for four hours and then comes back: payhooks dlq list');
  }
}
