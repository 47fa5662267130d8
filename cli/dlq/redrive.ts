import { setTimeout as pause } from 'node:timers/promises';
import type { MoveTask } from '../../operator/aws/queues.ts';
import type { DeadLetterQueue } from '../../operator/dead-letters/open.ts';
import { redriveUnlistedPollsMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { type Stop, takeStopSignals } from '../stop-signal.ts';
import { openQueue, printEmpty, printGroups } from './look.ts';

interface RedriveOptions extends CommonOptions {
  readonly again?: true;
}

export async function redriveDeadLetters(session: Session, options: RedriveOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  const { stack, queue } = await openQueue(session, options);
  const { active, former, seen, refusal } = await queue.planRedrive(options.again === true);
  if (active !== undefined) {
    terminal.note(`A redrive is active since ${active.started_at}; following it.`);
  } else if (seen.depth === 0) {
    return show(session, options, {
      document: { status: 'EMPTY', moved: 0 },
      print: () => printEmpty(session),
    });
  } else {
    if (!options.json) printGroups(session, seen);
    if (refusal !== undefined) throw new CommandError('failed', refusal);
    await input.confirm(`Move about ${messages(seen.depth)} to the event queue?`, options);
  }
  using stop = takeStopSignals();
  if (active === undefined) await queue.startMove();
  const task = await followTask(session, queue, { stop, former: active ? undefined : former });
  const { status, moved, failure_reason } = task;
  const [waiting, dead] = [await queue.eventQueueDepth(), await queue.depth()];
  const isDone = status === 'COMPLETED';
  return show(session, options, {
    document: { status, moved, failure_reason, in_event_queue: waiting, in_dead_letter_queue: dead },
    print() {
      const reason = failure_reason === null ? '' : ` (${failure_reason})`;
      const ends = isDone ? '' : `; the task is ${status.toLowerCase()}${reason}`;
      terminal.print(`Moved ${messages(moved)}${ends}.`);
      terminal.print(`Now about ${waiting} in the event queue, ${dead} in the dead-letter queue.`);
      const command = nextCommand(stack, 'payhooks status');
      terminal.note(`What fails for four hours comes back. How many are not recorded yet:\n→ ${command}`);
    },
    exitCode: stop.exitCode() ?? (isDone ? exitCodes.done : exitCodes.failed),
  });
}

const messages = (count: number): string => (count === 1 ? '1 message' : `${count} messages`);

interface Follow {
  readonly stop: Stop;
  /** When the task before this one was started; SQS may still list that one as the latest. */
  readonly former: string | undefined;
}

/** The task once it is over. The stop signal cancels it. */
async function followTask(
  { terminal, waits }: Session,
  queue: DeadLetterQueue,
  { stop: { signal }, former }: Follow,
): Promise<MoveTask> {
  let isCancelled = false;
  for (let unlisted = 0; unlisted < redriveUnlistedPollsMax; ) {
    const task = await queue.latestTask();
    if (task === undefined || task.started_at === former) {
      unlisted += 1;
    } else if (!['RUNNING', 'CANCELLING'].includes(task.status)) {
      return task;
    } else if (signal.aborted && !isCancelled && task.handle !== undefined) {
      terminal.note('Cancelling the redrive …');
      isCancelled = true;
      await queue.cancelMove(task.handle);
      continue;
    } else {
      terminal.progress(`Moved ${task.moved} of ${task.to_move} …`);
    }
    await pause(waits.redrivePollMilliseconds, undefined, isCancelled ? {} : { signal }).catch(() => {});
  }
  const message = 'SQS does not list the redrive. To see what is left: payhooks dlq list';
  throw new CommandError('failed', message);
}
