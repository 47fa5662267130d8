import { type PaymentServiceClient, PaymentServiceError, type Webhook } from '@payhooks/payment-service';
import {
  deliveryLagSeconds,
  namedEventsMax,
  newestAgeSecondsMax,
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
 * once they can no longer be in the event queue. Those that are dead letters count as missing: this function
 * may not read that queue. Throws what the stores throw.
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
  const [now, windowMilliseconds] = [parts.now(), reconcileWindowSeconds * 1_000];
  const bounds = { pagesMax: reconcilePagesMax, signal };
  const isJudged = (newest: number) => now - newest <= newestAgeSecondsMax * 1_000;
  // Up to the newest attempt, not to our now: the times may be of another zone (A16).
  const since = (newest: number) => (isJudged(newest) ? newest : now) - windowMilliseconds;
  const latest = await readHistory(client, webhooks, { since, until: Number.POSITIVE_INFINITY, ...bounds });
  const until = now - deliveryLagSeconds * 1_000;
  const settled = await readHistory(client, webhooks, {
    since: until - windowMilliseconds,
    until,
    ...bounds,
  });
  // What is retried or given up is in the latest attempts; what was acknowledged is judged hours later.
  const failed = deliveredEvents(latest.attempts).filter(({ state }) => state !== 'delivered');
  const delivered = deliveredEvents(settled.attempts).filter(({ state }) => state === 'delivered');
  const judging = { isStored: parts.isStored, acknowledgedUntil: until, signal };
  const { missing, givenUp, stored } = await reconcile([...failed, ...delivered], judging);
  telemetry.log('notice', 'deliveries reconciled', {
    stored,
    retrying: failed.filter(({ state }) => state === 'retrying').length,
    missing: missing.length,
    given_up: givenUp.length,
    is_complete: latest.isComplete && settled.isComplete,
  });
  const found: Finding[] = [];
  const unreached = unreachedSince(latest.newest, parts.now());
  if (unreached !== undefined) found.push(finding('webhook_unreachable', unreached, ['smoke']));
  if (missing.length > 0)
    found.push(finding('deliveries_missing', `Acknowledged and in no table: ${namesOf(missing)}.`));
  if (givenUp.length > 0)
    found.push(finding('deliveries_given_up', `Not delivered, and not sent again: ${namesOf(givenUp)}.`));
  if (latest.unreadable > 0) {
    const detail = `Attempts without event id, time, outcome or retry flag: ${latest.unreadable} (A16).`;
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
