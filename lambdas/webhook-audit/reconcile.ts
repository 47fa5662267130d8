import type { DeliveryAttempt } from '@payhooks/payment-service';
import { lookUpsAtATime } from '../contract/reconcile-limits.ts';
import type { Mode } from '../domain/signature.ts';

/** `given_up`: no attempt was acknowledged, and no retry is pending. */
export type DeliveryState = 'delivered' | 'retrying' | 'given_up';

/** What the payment service's history (API document 4.5) shows of one event. */
export interface DeliveredEvent {
  readonly mode: Mode;
  readonly eventId: string;
  readonly eventName: string | null;
  readonly state: DeliveryState;
  /** The first attempt that was acknowledged, otherwise the last one; milliseconds since the epoch. */
  readonly at: number;
  /** The endpoint's response to that attempt; `null` for none. */
  readonly status: number | null;
  readonly attempts: number;
}

export interface ReadHistory {
  readonly events: readonly DeliveredEvent[];
  /** Attempts without an event id, a time or an outcome: the assumed field names are wrong (A16). */
  readonly unreadable: readonly DeliveryAttempt[];
}

interface ReadAttempt {
  readonly eventId: string;
  readonly eventName: string | null;
  readonly delivery: string;
  readonly number: number;
  readonly at: number;
  readonly status: number | null;
  readonly isPending: boolean;
}

/** The attempts by event. An event that reached any of several registrations is delivered. */
export function readDeliveries(attempts: readonly DeliveryAttempt[], mode: Mode): ReadHistory {
  const read = attempts.map(readAttempt);
  const readable = read.filter((attempt) => attempt !== undefined);
  const byEvent = Map.groupBy(readable, ({ eventId }) => eventId);
  return {
    events: [...byEvent.values()].map((group) => eventOf(group, mode)),
    unreadable: attempts.filter((_, index) => read[index] === undefined),
  };
}

function readAttempt(attempt: DeliveryAttempt): ReadAttempt | undefined {
  const { event_id: eventId, response_status: status, retry_pending: pending } = attempt;
  const at = attemptTime(attempt);
  if (eventId === null || at === undefined || (status === null && pending === null)) return undefined;
  return {
    eventId,
    eventName: attempt.event_name,
    delivery: attempt.delivery_id ?? '',
    number: attempt.attempt ?? 0,
    at,
    status,
    // Without that part it cannot be known that the service has given up.
    isPending: pending !== false,
  };
}

/** The document's times have no zone; UTC is assumed (A16). A second zone makes one of ISO 8601 invalid. */
export function attemptTime({ attempted_at }: DeliveryAttempt): number | undefined {
  const text = attempted_at ?? '';
  const times = [`${text.replace(' ', 'T')}Z`, text].map((one) => Date.parse(one));
  return times.find((time) => !Number.isNaN(time));
}

function eventOf(attempts: readonly ReadAttempt[], mode: Mode): DeliveredEvent {
  const ordered = attempts.toSorted((a, b) => a.at - b.at || a.number - b.number);
  const acknowledged = ordered.find(({ status }) => status !== null && status >= 200 && status < 300);
  // Only the latest attempt of a delivery shows whether a retry is pending.
  const latest = new Map(ordered.map((attempt) => [attempt.delivery, attempt]));
  const isRetrying = [...latest.values()].some(({ isPending }) => isPending);
  const shown = (acknowledged ?? ordered.at(-1)) as ReadAttempt;
  const { eventId, eventName, at, status } = shown;
  return {
    ...{ mode, eventId, eventName, at, status },
    state: acknowledged !== undefined ? 'delivered' : isRetrying ? 'retrying' : 'given_up',
    attempts: Math.max(attempts.length, ...attempts.map(({ number }) => number)),
  };
}

/** Whether any row of the events table has this id, also one that waits for a person. */
export type IsStored = (mode: Mode, eventId: string) => Promise<boolean>;

export interface Reconciliation {
  /** Acknowledged, and stored nowhere. */
  readonly missing: readonly DeliveredEvent[];
  /** Never acknowledged, not stored, and not sent again. */
  readonly givenUp: readonly DeliveredEvent[];
  readonly stored: number;
}

interface Judging {
  readonly isStored: IsStored;
  /** An event that was acknowledged later than this may still be in the queue. */
  readonly acknowledgedUntil: number;
  /** Its abort is thrown before the next look-ups. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (lookedUp: number, of: number) => void;
}

/**
 * Looks up what must be stored by now. An event that the service has given up on may be stored all the same:
 * our response was lost.
 */
export async function reconcile(
  events: readonly DeliveredEvent[],
  { isStored, acknowledgedUntil, signal, onProgress }: Judging,
): Promise<Reconciliation> {
  const judged = events.filter(
    ({ state, at }) => state === 'given_up' || (state === 'delivered' && at <= acknowledgedUntil),
  );
  const absent: DeliveredEvent[] = [];
  for (let start = 0; start < judged.length; start += lookUpsAtATime) {
    signal?.throwIfAborted();
    const some = judged.slice(start, start + lookUpsAtATime);
    const found = await Promise.all(some.map(({ mode, eventId }) => isStored(mode, eventId)));
    absent.push(...some.filter((_, index) => found[index] === false));
    onProgress?.(start + some.length, judged.length);
  }
  return {
    missing: absent.filter(({ state }) => state === 'delivered'),
    givenUp: absent.filter(({ state }) => state === 'given_up'),
    stored: judged.length - absent.length,
  };
}
