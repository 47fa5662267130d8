import { lookUpsAtATime } from '../contract/reconcile-limits.ts';
import type { Mode } from '../domain/signature.ts';
import { type Attempt, isAcknowledged } from './history.ts';

/** What the history of the payment service shows of one event. */
export interface DeliveredEvent {
  readonly mode: Mode;
  readonly eventId: string;
  readonly eventName: string | null;
  /** `given_up`: no attempt was acknowledged, and no retry is pending. */
  readonly state: 'delivered' | 'retrying' | 'given_up';
  /** The first attempt that was acknowledged, otherwise the last one; milliseconds since the epoch. */
  readonly at: number;
  /** The endpoint's response to that attempt; `null` for none. */
  readonly status: number | null;
  readonly attempts: number;
}

/** The attempts by event. An event that reached any of several registrations is delivered. */
export function deliveredEvents(attempts: readonly Attempt[]): readonly DeliveredEvent[] {
  const byEvent = Map.groupBy(attempts, ({ mode, eventId }) => `${mode} ${eventId}`);
  return [...byEvent.values()].flatMap((group) => eventOf(group) ?? []);
}

/** `undefined` for attempts that show no event id. */
function eventOf(attempts: readonly Attempt[]): DeliveredEvent | undefined {
  const ordered = attempts.toSorted((a, b) => a.at - b.at || a.number - b.number);
  const acknowledged = ordered.find(({ status }) => isAcknowledged(status));
  // Only the latest attempt of a delivery shows whether a retry is pending.
  const latest = new Map(ordered.map((attempt) => [attempt.delivery, attempt]));
  const isRetrying = [...latest.values()].some(({ isPending }) => isPending);
  const shown = (acknowledged ?? ordered.at(-1)) as Attempt;
  const { mode, eventId, eventName, at, status } = shown;
  if (eventId === null) return undefined;
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

/** A25. Whether the mode of a registration is that of its events is not documented. */
async function isStoredAnywhere(isStored: IsStored, { mode, eventId }: DeliveredEvent): Promise<boolean> {
  return (await isStored(mode, eventId)) || isStored(mode === 'live' ? 'sandbox' : 'live', eventId);
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
    const found = await Promise.all(some.map((event) => isStoredAnywhere(isStored, event)));
    absent.push(...some.filter((_, index) => found[index] === false));
    onProgress?.(start + some.length, judged.length);
  }
  return {
    missing: absent.filter(({ state }) => state === 'delivered'),
    givenUp: absent.filter(({ state }) => state === 'given_up'),
    stored: judged.length - absent.length,
  };
}
