import { conflictFact } from '../domain/fact.ts';
import { type EventRow, type EventWriter, type Outcome, PermanentStoreError } from '../ports/stores.ts';
import { conflictRow, quarantineRow, type RowSettings, rowOf } from './event-rows.ts';
import type { Received } from './receive.ts';

/** A record whose event row is stored, and what it still owes to orders. */
export interface Recorded {
  readonly received: Received;
  readonly outcome: Outcome;
  readonly reason?: EventRow['reason'];
  /** Whether this record stored its row; a duplicate finds it there. */
  readonly fresh: boolean;
  readonly owed: readonly OwedFact[];
}

export interface OwedFact {
  readonly orderId: string;
  readonly fact: string;
}

/**
 * Record first, then merge, and never skip the merge: a row that is already there with the same hash may be
 * our own earlier write whose answer got lost, or what a crash left between the two writes. Its fact is owed
 * all the same.
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
    owed:
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

/** The first body stays; the second is kept beside it, and every order that either names is marked. */
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
    owed: [...orderIds].map((orderId) => ({ orderId, fact })),
  };
}

/** Keeps an event whose order will never take it. */
export async function quarantineRefused(
  events: EventWriter,
  { received }: Recorded,
  settings: RowSettings,
): Promise<Recorded> {
  const result = await events.put(quarantineRow(received, 'order_refused', settings));
  const fresh = result.kind === 'stored';
  return { received, outcome: 'quarantined', reason: 'order_refused', fresh, owed: [] };
}

export const isPermanent = (error: unknown): boolean => error instanceof PermanentStoreError;
