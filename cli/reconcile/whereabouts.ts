import { deliveryLagSeconds } from '../../lambdas/contract/reconcile-limits.ts';
import type { DeliveredEvent } from '../../lambdas/webhook-audit/reconcile.ts';
import { readDeadLetters } from '../../operator/dead-letters/dead-letter.ts';
import { explainError } from '../../operator/explain-error.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import type { Session } from '../session.ts';

export interface Whereabouts {
  /** Acknowledged, and in none of the tables and queues. */
  readonly missing: readonly DeliveredEvent[];
  readonly deadLetters: readonly DeliveredEvent[];
  /** So recent that the event queue may still hold it. */
  readonly queued: readonly DeliveredEvent[];
}

/** Where acknowledged events are that no table has. */
export async function findWhereabouts(
  { terminal, now, env, waits }: Session,
  stack: Stack,
  absent: readonly DeliveredEvent[],
): Promise<Whereabouts> {
  if (absent.length === 0) return { missing: [], deadLetters: [], queued: [] };
  terminal.progress('Looking into the queues …');
  const queues = await lookIntoQueues(stack).catch((error: unknown) => {
    terminal.note(`The queues are not known: ${explainError(error, env).message}`);
    return { buried: new Set<string | null>(), isQueueEmpty: true };
  });
  const isBuried = ({ eventId }: DeliveredEvent) => queues.buried.has(eventId);
  // Half a minute after the last message SQS may still count none.
  const mayBeQueued = ({ at }: DeliveredEvent) =>
    at > now() - waits.deliveryRecentMilliseconds ||
    (!queues.isQueueEmpty && at > now() - deliveryLagSeconds * 1_000);
  const [deadLetters, others] = [absent.filter(isBuried), absent.filter((one) => !isBuried(one))];
  return {
    deadLetters,
    queued: others.filter(mayBeQueued),
    missing: others.filter((one) => !mayBeQueued(one)),
  };
}

async function lookIntoQueues(stack: Stack) {
  const { openDeadLetterQueue } = await import('../../operator/aws/queues.ts');
  const queue = openDeadLetterQueue(stack);
  const depth = await queue.depth();
  const messages = depth === 0 ? [] : await queue.peek(depth, () => {});
  const letters = readDeadLetters(messages, undefined);
  return {
    // In either mode: that of a registration may not be the mode of its events (A25).
    buried: new Set(letters.map(({ summary }) => summary.event_id)),
    isQueueEmpty: (await queue.eventQueueDepth()) === 0,
  };
}
