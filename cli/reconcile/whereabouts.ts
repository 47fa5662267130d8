import { deliveryLagSeconds, historyLagSeconds } from '../../lambdas/contract/reconcile-limits.ts';
import { eventOfKey } from '../../lambdas/contract/schema.ts';
import type { History } from '../../lambdas/webhook-audit/history.ts';
import type { DeliveredEvent } from '../../lambdas/webhook-audit/reconcile.ts';
import { type StoredEvent, unknownEvents } from '../../lambdas/webhook-audit/unknown-events.ts';
import { readDeadLetters } from '../../operator/dead-letters/dead-letter.ts';
import { explainError } from '../../operator/explain-error.ts';
import { runSegments } from '../../operator/limits.ts';
import { outputOf, type Stack } from '../../operator/stack/stack.ts';
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

type Comparing = Parameters<typeof unknownEvents>[1];

/** The other way round: what is stored, and the history lacks. It reads the table of events. */
export async function findUnknown(
  session: Session,
  stack: Stack,
  {
    since,
    until: end,
    ...given
  }: Pick<Comparing, 'since' | 'until' | 'webhooks' | 'readMore'> & { readonly history: History },
) {
  const until = Math.min(end, session.now() - historyLagSeconds * 1_000);
  if (until <= since) return { unknown: [], isJudged: true };
  try {
    const stored = await storedEvents(session, stack, { since, until });
    const modes = new Set(given.webhooks.map((one) => (one.is_live_mode ? 'live' : 'sandbox')));
    return await unknownEvents(
      stored.filter(({ mode }) => modes.has(mode)),
      { ...given, since, until, receivedAt: async (absent) => absent as readonly StoredEvent[] },
    );
  } catch (error) {
    session.terminal.note(`The stored events were not compared: ${explainError(error, session.env).message}`);
    return { unknown: [], isJudged: false };
  }
}

async function storedEvents(
  { terminal }: Session,
  stack: Stack,
  { since, until }: Pick<Comparing, 'since' | 'until'>,
): Promise<readonly StoredEvent[]> {
  const { openTables } = await import('../../operator/aws/tables.ts');
  const tables = openTables(stack);
  const name = outputOf(stack, 'EventsTableName');
  const found: StoredEvent[] = [];
  let rowsRead = 0;
  const parts = Array.from({ length: runSegments }, async (_, segment) => {
    // A row is recorded after its event was received.
    const pages = tables.receivedSince(name, new Date(since).toISOString(), segment, runSegments);
    for await (const { rows, scanned } of pages) {
      rowsRead += scanned;
      terminal.progress(`Reading the table of events, ${rowsRead} rows …`);
      for (const [key, received] of rows) {
        const { mode, id } = eventOfKey(key) ?? {};
        const receivedAt = Date.parse(received);
        if (id === undefined || (mode !== 'live' && mode !== 'sandbox')) continue;
        if (receivedAt >= since && receivedAt <= until) found.push({ mode, eventId: id, receivedAt });
      }
    }
  });
  await Promise.all(parts);
  return found;
}
