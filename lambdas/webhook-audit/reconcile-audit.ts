import { type PaymentServiceClient, PaymentServiceError, type Webhook } from '@payhooks/payment-service';
import {
  deliveryLagSeconds,
  namedEventsMax,
  reconcilePagesMax,
  reconcileWindowSeconds,
} from '../contract/reconcile-limits.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { Finding } from './finding.ts';
import { HistoryError, readHistory } from './history.ts';
import { type DeliveredEvent, deliveredEvents, type IsStored, reconcile } from './reconcile.ts';
import { unreachedSince } from './unreached.ts';

export interface ReconciliationParts {
  readonly isStored: IsStored;
  /** About how many messages the dead-letter queue holds. */
  readonly deadLetters: () => Promise<number>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Audited {
  readonly client: PaymentServiceClient;
  /** The registrations of our URL. */
  readonly webhooks: readonly Webhook[];
  readonly signal: AbortSignal;
  readonly telemetry: Telemetry;
}

/**
 * Compares a bounded window of each webhook's history with what is stored. Acknowledged events are judged
 * once they can no longer be in the event queue, and while there are as many dead letters as events that are
 * absent, those are taken for dead letters. Throws what the stores throw.
 */
export async function reconcileAudit(
  parts: ReconciliationParts,
  audited: Audited,
): Promise<readonly Finding[]> {
  try {
    return await compare(parts, audited);
  } catch (error) {
    const isExpected = error instanceof PaymentServiceError || error instanceof HistoryError;
    if (!isExpected && !audited.signal.aborted) throw error;
    const reason = isExpected ? error.message : 'It took too long.';
    return [finding('history_unreadable', `Deliveries were not compared with what is stored. ${reason}`)];
  }
}

async function compare(parts: ReconciliationParts, audited: Audited): Promise<readonly Finding[]> {
  const { client, webhooks, signal, telemetry } = audited;
  const read = (until: number) => {
    const since = until - reconcileWindowSeconds * 1_000;
    return readHistory(client, webhooks, { since, until, pagesMax: reconcilePagesMax, signal });
  };
  const acknowledgedUntil = parts.now() - deliveryLagSeconds * 1_000;
  const latest = await read(parts.now());
  const settled = await read(acknowledgedUntil);
  // What is retried or given up is in the latest attempts; what was acknowledged is judged hours later.
  const events = deliveredEvents(latest.attempts);
  const delivered = deliveredEvents(settled.attempts).filter(({ state }) => state === 'delivered');
  const judging = { isStored: parts.isStored, acknowledgedUntil, signal };
  const { missing, givenUp, stored } = await reconcile([...events, ...delivered], judging);
  const mayBeDead = missing.length > 0 && missing.length <= (await parts.deadLetters());
  telemetry.log('notice', 'deliveries reconciled', {
    stored,
    retrying: events.filter(({ state }) => state === 'retrying').length,
    missing: missing.length,
    given_up: givenUp.length,
    is_complete: latest.isComplete && settled.isComplete,
  });
  const found: Finding[] = [];
  const unreached = unreachedSince(latest.newest, parts.now());
  if (unreached !== undefined) found.push(finding('webhook_unreachable', unreached, ['smoke']));
  if (missing.length > 0 && !mayBeDead)
    found.push(finding('deliveries_missing', `Acknowledged and not stored: ${namesOf(missing)}.`));
  if (givenUp.length > 0)
    found.push(finding('deliveries_given_up', `Not delivered, and not sent again: ${namesOf(givenUp)}.`));
  if (latest.unreadable > 0) {
    const detail = `Attempts without event id, time or outcome: ${latest.unreadable} (A16).`;
    found.push(finding('history_unreadable', detail));
  }
  return found;
}

const finding = (kind: Finding['kind'], detail: string, fix = ['reconcile']): Finding => ({
  kind,
  detail,
  fix,
});

function namesOf(events: readonly DeliveredEvent[]): string {
  const named = events
    .slice(0, namedEventsMax)
    .map(({ eventId, at }) => `${eventId} at ${new Date(at).toISOString()}`);
  const more = events.length > named.length ? ` and ${events.length - named.length} more` : '';
  return `${named.join(', ')}${more}`;
}
