import { type PaymentServiceClient, PaymentServiceError, type Webhook } from '@payhooks/payment-service';
import {
  deliveryLagSeconds,
  historyClockSeconds,
  historyLagSeconds,
  historyZoneSecondsMax,
  loggedEventsMax,
  namedEventsMax,
  newestAgeSecondsMax,
  reconcilePagesMax,
  reconcileWindowSeconds,
} from '../contract/reconcile-limits.ts';
import type { Mode } from '../domain/signature.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { Finding } from './finding.ts';
import { HistoryError, readHistory } from './history.ts';
import { type DeliveredEvent, deliveredEvents, type IsStored, reconcile } from './reconcile.ts';
import { type EventRef, type UnknownEvents, unknownEvents } from './unknown-events.ts';
import { unreachedSince } from './unreached.ts';

export interface ReconciliationParts {
  readonly isStored: IsStored;
  /** The events that count in orders which have changed since a time in milliseconds. */
  readonly countedSince: (
    mode: Mode,
    since: number,
  ) => Promise<{ readonly eventIds: readonly string[]; readonly isComplete: boolean }>;
  /** When events were received, in milliseconds since the epoch. */
  readonly receivedAt: (mode: Mode, eventIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Audited {
  readonly client: PaymentServiceClient;
  /** The registrations of our URL. */
  readonly webhooks: readonly Webhook[];
  /** Every registration of the account. */
  readonly all: readonly Webhook[];
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
  const { unknown, isJudged: isCompared } = await eventsUnknown(parts, audited);
  const found: Finding[] = [];
  const unreached = unreachedSince(latest.newest, parts.now());
  if (unreached !== undefined) found.push(finding('webhook_unreachable', unreached, ['smoke']));
  if (missing.length > 0)
    found.push(finding('deliveries_missing', `Acknowledged and in no table: ${namesOf(missing)}.`));
  if (givenUp.length > 0)
    found.push(finding('deliveries_given_up', `Not delivered, and not sent again: ${namesOf(givenUp)}.`));
  if (unknown.length > 0) {
    const ids = unknown.slice(0, loggedEventsMax).map(({ mode, eventId }) => `${mode} ${eventId}`);
    telemetry.log('error', 'events unknown to the payment service', { events: ids.join(', ') });
    const named = namesOf(unknown.map((event) => ({ ...event, at: event.receivedAt })));
    const detail = `Counted in orders, and not in the history of the payment service: ${named}.`;
    found.push(finding('events_unknown', detail, ['reconcile', '--since', '2h']));
  }
  if (!isCompared)
    telemetry.log(
      'warn',
      'stored events not all compared: too many orders changed, or the history does not cover their time',
    );
  if (latest.unreadable > 0) {
    const detail = `Attempts without event id, time, outcome or retry flag: ${latest.unreadable} (A16).`;
    found.push(finding('history_unreadable', detail));
  }
  return found;
}

/**
 * Stored events that the history lacks. They are found by the orders that changed (ADR 25): an event that
 * counts in no order has moved no money, and waits for a person.
 */
async function eventsUnknown(
  { countedSince, receivedAt, now }: ReconciliationParts,
  { client, webhooks, all, signal }: Audited,
): Promise<UnknownEvents> {
  const until = now() - historyLagSeconds * 1_000;
  const since = until - reconcileWindowSeconds * 1_000;
  // A registration shows the events of its mode only.
  const modes = new Set(webhooks.map(({ is_live_mode }): Mode => (is_live_mode ? 'live' : 'sandbox')));
  const events: EventRef[] = [];
  let isWhole = true;
  for (const mode of modes) {
    const { eventIds, isComplete } = await countedSince(mode, since);
    isWhole &&= isComplete;
    events.push(...eventIds.map((eventId) => ({ mode, eventId })));
  }
  if (events.length === 0) return { unknown: [], isJudged: isWhole };
  const read = (of: readonly Webhook[], seconds: number) => {
    const window = { since: since - seconds * 1_000, until: until + seconds * 1_000 };
    return readHistory(client, of, { ...window, pagesMax: reconcilePagesMax, signal });
  };
  const { unknown, isJudged } = await unknownEvents(events, {
    ...{ since, until, webhooks, history: await read(webhooks, historyClockSeconds) },
    readMore: () => read(all, historyZoneSecondsMax),
    async receivedAt(absent) {
      const found = [];
      for (const mode of modes) {
        const ids = absent.filter((event) => event.mode === mode).map(({ eventId }) => eventId);
        for (const [eventId, at] of await receivedAt(mode, ids))
          found.push({ mode, eventId, receivedAt: at });
      }
      return found;
    },
  });
  return { unknown, isJudged: isJudged && isWhole };
}

const finding = (kind: Finding['kind'], detail: string, fix = ['reconcile']): Finding => ({
  kind,
  detail,
  fix,
});

function namesOf(events: readonly Pick<DeliveredEvent, 'eventId' | 'at'>[]): string {
  const named = events
    .slice(0, namedEventsMax)
    .map(({ eventId, at }) => `${eventId} at ${new Date(at).toISOString()}`);
  const more = events.length > named.length ? ` and ${events.length - named.length} more` : '';
  return `${named.join(', ')}${more}`;
}
