import type { Webhook } from '@payhooks/payment-service';
import { historyZoneSecondsMax } from '../contract/reconcile-limits.ts';
import type { Mode } from '../domain/signature.ts';
import type { History } from './history.ts';

export interface EventRef {
  readonly mode: Mode;
  readonly eventId: string;
}

export interface StoredEvent extends EventRef {
  /** When the verifier received it, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

interface Comparing {
  /** The time of receipt, in milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
  /** The registrations of our URL. */
  readonly webhooks: readonly Webhook[];
  /** What the history shows of that time, if its times are in UTC (A16). */
  readonly history: History;
  readonly receivedAt: (events: readonly EventRef[]) => Promise<readonly StoredEvent[]>;
  /** Every registration of the account, and more than the time on both sides, whatever the zone is. */
  readonly readMore: () => Promise<History>;
}

export interface UnknownEvents {
  readonly unknown: readonly StoredEvent[];
  /** `false` when the history does not cover what is missing in it. */
  readonly isJudged: boolean;
}

/**
 * The stored events of a time that the payment service does not know. An event is unknown only where the
 * history covers its time for sure: with all pages of more than that time, or while most of the other events
 * are where UTC puts them.
 */
export async function unknownEvents(
  events: readonly EventRef[],
  { since, until, webhooks, history, receivedAt, readMore }: Comparing,
): Promise<UnknownEvents> {
  const absent = without(events, history);
  const suspects = (await receivedAt(absent)).filter(
    (one) => one.receivedAt >= since && one.receivedAt <= until,
  );
  if (suspects.length === 0) return { unknown: [], isJudged: true };
  const isInUtc = events.length - absent.length >= suspects.length;
  const more = await readMore();
  const unknown = without(suspects, more);
  const isComplete = more.isComplete || (isInUtc && history.isComplete);
  // What came through an earlier registration went with its history.
  const registeredUntil = isInUtc ? since : since - historyZoneSecondsMax * 1_000;
  const isRegistered = webhooks.every(
    ({ created_at = '' }) => !(Date.parse(`${created_at.replace(' ', 'T')}Z`) > registeredUntil),
  );
  const isJudged = isComplete && isRegistered && history.unreadable + more.unreadable === 0;
  return { unknown: isJudged ? unknown : [], isJudged: isJudged || unknown.length === 0 };
}

function without<Ref extends EventRef>(
  events: readonly Ref[],
  { attempts, newest }: History,
): readonly Ref[] {
  const known = new Set([...attempts, ...newest].map(({ eventId }) => eventId));
  return events.filter(({ eventId }) => !known.has(eventId));
}
