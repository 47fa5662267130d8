import { conflictFact } from '../domain/fact.ts';
import { type EventRow, type EventWriter, type Outcome, PermanentStoreError } from '../ports/stores.ts';
import { conflictRow, quarantineRow, type RowSettings, rowOf } from './event-rows.ts';
import type { Received } from './receive.ts';

/** A record whose event row is stored, and the facts that still have to be merged into orders. */
export interface Recorded {
  readonly received: Received;
  readonly outcome: Outcome;
  readonly reason?: EventRow['reason'];
  /** Whether this record stored the row; false for a duplicate. */
  readonly fresh: boolean;
  readonly pendingFacts: readonly PendingFact[];
}

export interface PendingFact {
  readonly orderId: string;
  readonly fact: string;
}

/**
 * Record first, then merge, and never skip the merge: an existing row with the same hash may be our own
 * earlier write whose response was lost, or one that a crash left without its merge. So its fact is always
 * pending.
 */
export async function recordEvent(
  events: EventWriter,
  received: Received,
  settings: RowSettings,
): Promise<Recorded> {
  const row = rowOf(received, settings);
  const result = await events.put(row);
  if (result.kind === 'present' && result.bodySha256 !== row.bodySha256) {
    return recordConflict(events, received, { settings, takenBy: result.orderId });
  }
  const { classification } = received;
  return {
    received,
    outcome: row.outcome,
    ...(row.reason === undefined ? {} : { reason: row.reason }),
    fresh: result.kind === 'stored',
    pendingFacts:
      classification.kind === 'applied'
        ? [{ orderId: classification.orderId, fact: classification.fact }]
        : [],
  };
}

interface ConflictParts {
  readonly settings: RowSettings;
  /** The order of the body that came first. */
  readonly takenBy: string | undefined;
}

/**
 * The first body stays; the second is stored in a row of its own, and every order that either names is
 * marked.
 */
async function recordConflict(
  events: EventWriter,
  received: Received,
  { settings, takenBy }: ConflictParts,
): Promise<Recorded> {
  const row = conflictRow(received, settings);
  const result = await events.put(row);
  const fact = conflictFact(row.eventId ?? '', row.bodySha256);
  const orderIds = new Set([takenBy, row.orderId].filter((orderId) => orderId !== undefined));
  return {
    received,
    outcome: 'conflict',
    fresh: result.kind === 'stored',
    pendingFacts: [...orderIds].map((orderId) => ({ orderId, fact })),
  };
}

/** Stores an event whose merge DynamoDB will always refuse. */
export async function quarantineRefused(
  events: EventWriter,
  { received }: Recorded,
  settings: RowSettings,
): Promise<Recorded> {
  const result = await events.put(quarantineRow(received, 'order_refused', settings));
  const fresh = result.kind === 'stored';
  return { received, outcome: 'quarantined', reason: 'order_refused', fresh, pendingFacts: [] };
}

export const isPermanent = (error: unknown): boolean => error instanceof PermanentStoreError;
