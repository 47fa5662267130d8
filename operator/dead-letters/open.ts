import type { Message, MoveTask } from '../aws/queues.ts';
import type { DeadLetters } from '../documents.ts';
import { explainError } from '../explain-error.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { type DeadLetter, groupByError, readDeadLetters } from './dead-letter.ts';
import { type Retry, readRetries } from './retries.ts';

/** A clock's difference between SQS and the log. */
const marginMilliseconds = 60_000;

/** What looking at the queue uses of its caller. */
interface Looking {
  readonly env: NodeJS.ProcessEnv;
  readonly note: (line: string) => void;
  readonly progress: (line: string) => void;
}

export interface Seen extends DeadLetters {
  readonly letters: readonly DeadLetter[];
}

export type DeadLetterQueue = Awaited<ReturnType<typeof openDeadLetters>>;

/** The dead letters of a stack. The SDK is loaded when it is needed. */
export async function openDeadLetters(stack: Stack, { env, note, progress }: Looking) {
  const { openDeadLetterQueue } = await import('../aws/queues.ts');
  const queue = openDeadLetterQueue(stack);

  /** The messages of the queue with the errors that the consumer logged for them. */
  async function look(): Promise<Seen> {
    const expected = await queue.depth();
    const messages = await queue.peek(expected, (seen) =>
      progress(`Looking at the messages, ${seen} of ${expected} …`),
    );
    const letters = readDeadLetters(messages, messages.length === 0 ? [] : await retriesOf(messages));
    const depth = Math.max(expected, messages.length);
    return { letters, depth, seen: letters.length, groups: groupByError(letters) };
  }

  /** Without the log a list is still of use. */
  async function retriesOf(messages: readonly Message[]): Promise<readonly Retry[] | undefined> {
    const sent = messages.map(({ Attributes }) => Number(Attributes?.SentTimestamp ?? 0));
    progress("Searching the consumer's log for the errors …");
    const since = Math.min(...sent) - marginMilliseconds;
    const messageIds = messages.map(({ MessageId = '' }) => MessageId);
    return readRetries(stack, { since, messageIds }).catch((error: unknown) => {
      note(`The errors are not known: ${explainError(error, env).message}`);
      return undefined;
    });
  }

  /**
   * Looks whether messages would come back, or would go to a queue that is not ours: `refusal` says why
   * nothing may be moved. `active` is the move that goes on, and `former` when the latest one was started.
   */
  async function planRedrive(again: boolean) {
    const latest = await queue.latestTask();
    const former = latest?.started_at;
    if (isActive(latest)) {
      // A message that is hidden by a look would not be moved.
      const seen = { letters: [], depth: await queue.depth(), seen: 0, groups: [] };
      return { active: latest, former, seen, refusal: 'A redrive is active already. Wait until it is over.' };
    }
    const seen = await look();
    const sources = (await queue.sources()).map(nameOfQueue);
    const others = sources.filter((source) => source !== nameOfQueue(outputOf(stack, 'EventQueueUrl')));
    return { active: undefined, former, seen, refusal: refusalOf(seen, others, again) };
  }

  return { ...queue, look, planRedrive };
}

/** SQS gives a task a handle for as long as it can be cancelled. */
export const isActive = (task: MoveTask | undefined): boolean => task?.handle !== undefined;

const nameOfQueue = (url: string): string => url.split('/').at(-1) ?? url;

function refusalOf({ letters, depth }: Seen, others: readonly string[], again: boolean): string | undefined {
  if (depth === 0) return 'The dead-letter queue is empty.';
  const numbersWhere = (field: 'redriven_before' | 'malformed'): string =>
    letters.flatMap(({ summary }) => (summary[field] ? summary.number : [])).join(', ');
  const [redriven, malformed] = [numbersWhere('redriven_before'), numbersWhere('malformed')];
  const problems = [
    ...(redriven === '' ? [] : [`Redriven before, and back: number ${redriven}.`]),
    ...(malformed === '' ? [] : [`The consumer of this version cannot read: number ${malformed}.`]),
  ];
  // A move task has no filter: one message that cannot succeed keeps all others from a silent redrive.
  if (problems.length > 0 && !again) {
    const advice =
      'They come back until the cause is removed, and SQS moves all messages or none. Nothing was moved. ' +
      'Fix the cause (payhooks dlq show NUMBER), deploy, and then: payhooks dlq redrive --again';
    return `${problems.join(' ')} ${advice}`;
  }
  if (others.length === 0) return undefined;
  // A message of another queue would return there; it is not ours to move.
  const fix = 'Remove their redrive policy first; payhooks smoke shows whether that can happen again.';
  return `Other queues use the dead-letter queue: ${others.join(', ')}. Nothing was moved. ${fix}`;
}
