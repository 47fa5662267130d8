import { readDeadLetters } from '../../operator/dead-letters/dead-letter.ts';
import { peekEmptyReceivesMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { outputOf, type Stack } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { takeStopSignals } from '../stop-signal.ts';
import { createTarget } from '../target/target.ts';
import { messages } from './redrive-outcome.ts';

interface LeftMessagesOptions extends CommonOptions {
  /** The URL of the queue. */
  readonly from: string;
}

/** Moves the messages of a queue that a deleted stack has left to the event queue of this stack. */
export async function moveLeftMessages(
  session: Session,
  { from, ...options }: LeftMessagesOptions,
): Promise<ExitCode> {
  const { terminal, input } = session;
  const stack = await createTarget(session, options).stack();
  checkQueue(stack, from);
  const { openLeftQueue } = await import('../../operator/aws/left-queue.ts');
  const queue = openLeftQueue(stack, from);
  const depth = await queue.depth();
  if (depth > 0) {
    await input.confirm(`Move about ${messages(depth)} to the event queue of ${stack.name}?`, options);
  }
  using stop = takeStopSignals();
  const unreadable = new Set<string>();
  let moved = 0;
  for (let empty = 0; depth > 0 && empty < peekEmptyReceivesMax && !stop.signal.aborted; ) {
    const received = await queue.next();
    const malformed = readDeadLetters(received, undefined).filter(({ isMalformed }) => isMalformed);
    for (const { messageId } of malformed) unreadable.add(messageId);
    for (const message of received) {
      if (stop.signal.aborted || unreadable.has(message.MessageId ?? '')) continue;
      await queue.move(message);
      moved += 1;
      terminal.progress(`Moved ${moved} of about ${depth} …`);
    }
    empty = received.every(({ MessageId = '' }) => unreadable.has(MessageId)) ? empty + 1 : 0;
  }
  const left = depth === 0 ? 0 : await queue.depth();
  print(session, { moved, left, unreadable: unreadable.size }, options);
  return stop.exitCode() ?? (left === 0 ? exitCodes.done : exitCodes.failed);
}

interface Moved {
  readonly moved: number;
  readonly left: number;
  /** Those among the ones left that the verifier did not write. */
  readonly unreadable: number;
}

function print({ terminal }: Session, result: Moved, { json }: CommonOptions): void {
  if (json) {
    terminal.json(result);
    return;
  }
  const { moved, left, unreadable } = result;
  terminal.print(`Moved ${messages(moved)}; the old queue ${left === 0 ? 'is empty' : `has about ${left}`}.`);
  if (unreadable > 0) terminal.print(`Not moved, because no verifier wrote it: ${messages(unreadable)}.`);
  if (left > unreadable)
    terminal.print('SQS hides what was received and not deleted: try again in 5 minutes.');
}

/** The queues of the stack itself have a consumer, or a redrive that looks at its messages first. */
function checkQueue(stack: Stack, from: string): void {
  const pathOf = (url: string): string => new URL(url).pathname;
  const own = ['EventQueueUrl', 'DeadLetterQueueUrl'].map((name) => pathOf(outputOf(stack, name)));
  if (!own.includes(pathOf(from))) return;
  const message =
    `--from is ${from}, a queue of ${stack.name} itself; expected one that a deleted stack has left. ` +
    'The dead letters of the stack need no --from.';
  throw new CommandError('wrongUsage', message);
}
