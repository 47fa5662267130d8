import type { Change, ChangePosition } from '../contract/change-position.ts';
import type { UnrecognisedReason } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';

/**
 * What became of a signed body: `applied` to its order · `recorded`, as it names no order · `conflict`, its
 * event id was taken by another body · `quarantined`, not applied before a person admits it · `unrecognised`,
 * not an event.
 */
export type Outcome = 'applied' | 'recorded' | 'conflict' | 'quarantined' | 'unrecognised';

/**
 * Why a signed event is kept out of its order until a person admits it. `sandbox_flag_*`: live and sandbox
 * never meet · `order_id_invalid`: no table key can hold it · `order_refused`: DynamoDB will never take the
 * merge, the row is full.
 */
export type QuarantineReason =
  | 'sandbox_flag_missing'
  | 'sandbox_flag_disagrees'
  | 'order_id_invalid'
  | 'order_refused';

/** A row of `events`: one signed body, byte-exact, and what payhooks made of it. */
export interface EventRow {
  /** `event_key` and `record` of `schema.ts`. */
  readonly key: string;
  readonly record: string;
  readonly mode: Mode;
  readonly outcome: Outcome;
  readonly reason?: UnrecognisedReason | QuarantineReason;
  readonly eventId?: string;
  readonly eventName?: string;
  readonly orderId?: string;
  readonly transactionId?: string;
  readonly body: Uint8Array;
  /** Lowercase hexadecimal. */
  readonly bodySha256: string;
  readonly keyId: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly recordedAt: string;
  /** Seconds since the epoch; absent for ever. */
  readonly expiresAt?: number;
}

/** `present`: a row with this key was there before, and `bodySha256` is the hash of its body. */
export type PutResult =
  | { readonly kind: 'stored' }
  | { readonly kind: 'present'; readonly bodySha256: string; readonly orderId?: string };

export interface OrderRef {
  readonly mode: Mode;
  readonly id: string;
}

/** What the order's row holds of its state: the facts decide, the status is derived from them. */
export interface OrderFacts {
  readonly facts: readonly string[];
  readonly status: string | undefined;
}

export interface EventWriter {
  /** Stores the row unless its key is taken. Throws PermanentStoreError when DynamoDB will never take it. */
  put(row: EventRow): Promise<PutResult>;
}

export interface OrderMerge {
  readonly order: OrderRef;
  readonly facts: readonly string[];
  /** The status for a row that has none yet. */
  readonly status: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

export interface OrderWriter {
  /**
   * Adds facts to an order's set. `changed` is false when every one of them was there: the row is left as it
   * was. Throws PermanentStoreError when DynamoDB will never take it.
   */
  merge(merge: OrderMerge): Promise<OrderFacts & { readonly changed: boolean }>;
  /** Writes a derived status, unless facts have come since: then whoever added them writes theirs. */
  setStatus(order: OrderRef, status: string, factCount: number): Promise<void>;
}

/** The row as the order query needs it. */
export interface OrderRow extends OrderFacts {
  readonly order: OrderRef;
  readonly updatedAt: string;
}

export interface OrderReader {
  get(order: OrderRef): Promise<OrderRow | undefined>;
  /** The rows as they are now, by `order_key`; a key is absent when there is no such order. */
  getAll(keys: readonly string[]): Promise<ReadonlyMap<string, OrderRow>>;
}

export interface ChangeReader {
  /**
   * The first `limit` changes of a mode after a position, oldest first, and whether there are more. An order
   * stands at its latest change only, so it moves towards the end while it changes.
   */
  after(
    mode: Mode,
    position: ChangePosition,
    limit: number,
  ): Promise<{ readonly changes: readonly Change[]; readonly more: boolean }>;
}

/** A row of `events` without the body: no customer data. */
export type EventSummary = Pick<
  EventRow,
  'outcome' | 'transactionId' | 'receivedAt' | 'recordedAt' | 'keyId' | 'bodySha256'
>;

export interface EventReader {
  /** Everything recorded under one event id: the event, conflicting bodies, quarantined bodies. */
  find(mode: Mode, eventId: string): Promise<readonly EventRow[]>;
  /** The rows of these events without their bodies, by event id; an id is absent when its row has expired. */
  summaries(mode: Mode, eventIds: readonly string[]): Promise<ReadonlyMap<string, EventSummary>>;
}

/** DynamoDB refused the request itself; the same request will be refused for ever. */
export class PermanentStoreError extends Error {
  override readonly name = 'PermanentStoreError';
}
