import { setTimeout as pause } from 'node:timers/promises';
import { redriveUnlistedPollsMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { type Stop, takeStopSignals } from '../stop-signal.ts';
import { printGroups } from './list.ts';
import { look, type OpenQueue, openQueue, type Seen } from './open.ts';
import { messages, printOutcome, watchOutcome } from './redrive-outcome.ts';

export interface RedriveOptions extends CommonOptions {
  readonly rate?: number;
  readonly again?: true;
}

export async function redriveDeadLetters(session: Session, options: RedriveOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  const open = await openQueue(session, options);
  const latest = await open.queue.latestTask();
  const isActive = latest?.handle !== undefined;
  if (isActive) {
    const since = new Date(latest.startedAt).toISOString();
    terminal.note(`A redrive is active since ${since}; following it.`);
  } else {
    const seen = await look(session, open);
    if (seen.depth === 0) {
      if (options.json) terminal.json({ status: 'EMPTY', moved: 0 });
      else terminal.print(terminal.style('green', 'The dead-letter queue is empty.'));
      return exitCodes.done;
    }
    if (!options.json) printGroups(session, seen);
    await checkRedrive(open, seen, options);
    const rate = options.rate === undefined ? '' : `, ${options.rate} a second`;
    await input.confirm(`Move about ${messages(seen.depth)} to the event queue${rate}?`, options);
  }
  using stop = takeStopSignals();
  if (!isActive) await open.queue.startMove(options.rate);
  const former = isActive ? undefined : latest?.startedAt;
  const task = await followTask(session, open, { stop, former });
  const outcome = await watchOutcome(session, open, { since: task.startedAt, signal: stop.signal });
  printOutcome(session, { task, outcome }, options);
  const isFailing = outcome.inEventQueue > 0 && outcome.failing.length > 0;
  const isDone = task.status === 'COMPLETED' && !isFailing;
  return stop.exitCode() ?? (isDone ? exitCodes.done : exitCodes.failed);
}

/** Throws when messages would come back, or would go to a queue that is not ours. */
export async function checkRedrive(
  open: OpenQueue,
  seen: Seen,
  options: Pick<RedriveOptions, 'again'>,
): Promise<void> {
  checkPoison(seen, options);
  await checkSources(open);
}

/** A move task has no filter: one message that cannot succeed keeps all others from a silent redrive. */
function checkPoison({ letters }: Seen, { again }: Pick<RedriveOptions, 'again'>): void {
  if (again) return;
  const numbers = (isMeant: (letter: Seen['letters'][number]) => boolean): string =>
    letters.flatMap((letter, index) => (isMeant(letter) ? index + 1 : [])).join(', ');
  const redriven = numbers(({ wasRedriven }) => wasRedriven);
  const malformed = numbers(({ isMalformed }) => isMalformed);
  const problems = [
    ...(redriven === '' ? [] : [`Redriven before, and back: number ${redriven}.`]),
    ...(malformed === '' ? [] : [`The consumer of this version cannot read: number ${malformed}.`]),
  ];
  if (problems.length === 0) return;
  const advice =
    'They come back until the cause is removed, and SQS moves all messages or none. Nothing was moved. ' +
    'Fix the cause (payhooks dlq show NUMBER), deploy, and then: payhooks dlq redrive --again';
  throw new CommandError('failed', `${problems.join(' ')} ${advice}`);
}

/** A message of another queue would return there; it is not ours to move. */
async function checkSources({ stack, queue }: OpenQueue): Promise<void> {
  const name = (url: string) => url.split('/').at(-1) ?? url;
  const ours = name(outputOf(stack, 'EventQueueUrl'));
  const others = (await queue.sources()).map(name).filter((source) => source !== ours);
  if (others.length === 0) return;
  const message =
    `Other queues use the dead-letter queue: ${others.join(', ')}. Nothing was moved. ` +
    'Remove their redrive policy first; payhooks smoke shows whether that can happen again.';
  throw new CommandError('failed', message);
}

interface Follow {
  readonly stop: Stop;
  /** When the task before this one was started; SQS may still list that one as the latest. */
  readonly former: number | undefined;
}

/** The task once it is over. The stop signal cancels it. */
async function followTask({ terminal, waits }: Session, { queue }: OpenQueue, { stop, former }: Follow) {
  const { signal } = stop;
  let isCancelled = false;
  for (let unlisted = 0; unlisted < redriveUnlistedPollsMax; ) {
    const task = await queue.latestTask();
    if (task === undefined || task.startedAt === former) {
      unlisted += 1;
    } else if (!['RUNNING', 'CANCELLING'].includes(task.status)) {
      return task;
    } else if (signal.aborted && !isCancelled && task.handle !== undefined) {
      terminal.note('Cancelling the redrive …');
      isCancelled = true;
      await queue.cancelMove(task.handle);
      continue;
    } else {
      terminal.progress(`Moved ${task.moved} of ${task.toMove} …`);
    }
    await pause(waits.redrivePollMilliseconds, undefined, isCancelled ? {} : { signal }).catch(
      () => undefined,
    );
  }
  const message = 'SQS does not list the redrive. To see what is left: payhooks dlq list';
  throw new CommandError('failed', message);
}
