import { type PaymentServiceClient, PaymentServiceError, type Webhook } from '@payhooks/payment-service';
import {
  deliveryLagSeconds,
  namedEventsMax,
  reconcilePagesMax,
  reconcileWindowSeconds,
} from '../contract/reconcile-limits.ts';
import type { Mode } from '../domain/signature.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { HistoryError, readHistory } from './history.ts';
import { type DeliveredEvent, type IsStored, readDeliveries, reconcile } from './reconcile.ts';
import { unreachedSince } from './unreached.ts';

export type DeliveryIssueKind =
  | 'webhook_unreachable'
  | 'deliveries_missing'
  | 'deliveries_given_up'
  | 'history_unreadable';

export interface DeliveryIssue {
  readonly kind: DeliveryIssueKind;
  /** A sentence for an operator. */
  readonly detail: string;
  readonly fix: readonly string[];
}

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
): Promise<readonly DeliveryIssue[]> {
  try {
    return await compare(parts, audited);
  } catch (error) {
    const isExpected = error instanceof PaymentServiceError || error instanceof HistoryError;
    if (!isExpected && !audited.signal.aborted) throw error;
    const reason = isExpected ? error.message : 'It took too long.';
    return [issue('history_unreadable', `Deliveries were not compared with what is stored. ${reason}`)];
  }
}

async function compare(parts: ReconciliationParts, audited: Audited): Promise<readonly DeliveryIssue[]> {
  const { signal, telemetry } = audited;
  const acknowledgedUntil = parts.now() - deliveryLagSeconds * 1_000;
  const windows: Awaited<ReturnType<typeof readWindows>>[] = [];
  for (const webhook of audited.webhooks) windows.push(await readWindows(parts, audited, webhook));
  const events = windows.flatMap((window) => window.events);
  const newest = windows.flatMap((window) => window.newest);
  const unreadable = windows.reduce((sum, window) => sum + window.unreadable, 0);
  const unreached = unreachedSince(newest, parts.now());
  const { missing, givenUp, stored } = await reconcile(events, { ...parts, acknowledgedUntil, signal });
  const mayBeDead = missing.length > 0 && missing.length <= (await parts.deadLetters());
  telemetry.log('notice', 'deliveries reconciled', {
    stored,
    retrying: events.filter(({ state }) => state === 'retrying').length,
    missing: missing.length,
    given_up: givenUp.length,
    is_complete: windows.every(({ isComplete }) => isComplete),
  });
  return [
    ...(unreached === undefined ? [] : [issue('webhook_unreachable', unreached, ['smoke'])]),
    ...(missing.length === 0 || mayBeDead
      ? []
      : [issue('deliveries_missing', `Acknowledged and not stored: ${namesOf(missing)}.`)]),
    ...(givenUp.length === 0
      ? []
      : [issue('deliveries_given_up', `Not delivered, and not sent again: ${namesOf(givenUp)}.`)]),
    ...(unreadable === 0
      ? []
      : [issue('history_unreadable', `Attempts without event id, time or outcome: ${unreadable} (A16).`)]),
  ];
}

/** What is retried or given up is in the latest attempts; what was acknowledged is judged hours later. */
async function readWindows({ now }: ReconciliationParts, { client, signal }: Audited, webhook: Webhook) {
  const mode: Mode = webhook.is_live_mode ? 'live' : 'sandbox';
  const read = async (until: number) => {
    const since = until - reconcileWindowSeconds * 1_000;
    const window = { since, until, pagesMax: reconcilePagesMax, signal };
    const part = await readHistory(client, webhook.id, window);
    return { ...part, ...readDeliveries(part.attempts, mode) };
  };
  const latest = await read(now());
  const settled = await read(now() - deliveryLagSeconds * 1_000);
  // An attempt without a time is in every window whose pages hold it.
  const unreadable = new Set([...latest.unreadable, ...settled.unreadable].map((one) => JSON.stringify(one)));
  return {
    events: [...latest.events, ...settled.events.filter(({ state }) => state === 'delivered')],
    newest: latest.newest,
    unreadable: unreadable.size,
    isComplete: latest.isComplete && settled.isComplete,
  };
}

const issue = (kind: DeliveryIssueKind, detail: string, fix = ['reconcile']): DeliveryIssue => ({
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
