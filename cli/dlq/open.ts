import type { Message } from '@aws-sdk/client-sqs';
import { type DeadLetter, readDeadLetters } from '../../operator/dead-letters/dead-letter.ts';
import type { Retry } from '../../operator/dead-letters/retry.ts';
import { readRetries } from '../../operator/dead-letters/retry-log.ts';
import { explainError } from '../../operator/explain-error.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import type { Terminal } from '../terminal.ts';

/** A clock's difference between SQS and the log. */
const marginMilliseconds = 60_000;

/** The dead-letter queue of the target. The SDK is loaded when it is needed. */
export async function openQueue(session: Session, options: CommonOptions) {
  return openQueueOf(await createTarget(session, options).stack());
}

export async function openQueueOf(stack: Stack) {
  const { openDeadLetterQueue } = await import('../../operator/aws/dead-letter-queue.ts');
  return { stack, queue: openDeadLetterQueue(stack) };
}

export type OpenQueue = Awaited<ReturnType<typeof openQueueOf>>;

/** What looking at the queue uses of a session. */
export interface Looking {
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Pick<Terminal, 'note' | 'progress'>;
}

export interface Seen {
  readonly letters: readonly DeadLetter[];
  /** How many messages the queue holds, which SQS knows approximately. */
  readonly depth: number;
}

/** The messages of the queue with the errors that the consumer logged for them. */
export async function look(session: Looking, { stack, queue }: OpenQueue): Promise<Seen> {
  const { terminal } = session;
  const depth = await queue.depth();
  const progress = (seen: number) => terminal.progress(`Looking at the messages, ${seen} of ${depth} …`);
  const messages = await queue.peek(depth, progress);
  const retries = messages.length === 0 ? [] : await retriesOf(session, stack, messages);
  return { letters: readDeadLetters(messages, retries), depth: Math.max(depth, messages.length) };
}

/** Without the log a list is still of use. */
async function retriesOf(
  { terminal, env }: Looking,
  stack: Stack,
  messages: readonly Message[],
): Promise<readonly Retry[] | undefined> {
  const sent = messages.map(({ Attributes }) => Number(Attributes?.SentTimestamp ?? 0));
  const messageIds = messages.map(({ MessageId = '' }) => MessageId);
  terminal.progress("Searching the consumer's log for the errors …");
  try {
    return await readRetries(stack, { since: Math.min(...sent) - marginMilliseconds, messageIds });
  } catch (error) {
    terminal.note(`The errors are not known: ${explainError(error, env).message}`);
    return undefined;
  }
}
