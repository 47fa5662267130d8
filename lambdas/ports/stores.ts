import type { Change, ChangePosition } from '../contract/change-position.ts';
import type { UnrecognisedReason } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';

/**
 * The fate of a signed body: `applied` to its order · `recorded`, because it names no order · `conflict`,
 * another body has its event id · `quarantined`, not applied until a person admits it · `unrecognised`, not
 * an event.
 */
export type Outcome = 'applied' | 'recorded' | 'conflict' | 'quarantined' | 'unrecognised';

/**
 * Why a signed event is kept out of its order until a person admits it. `sandbox_flag_*`: live and sandbox
 * never meet · `order_id_invalid`, `transaction_id_invalid`: not text, not valid Unicode or too long ·
 * `order_refused`: DynamoDB refuses the merge permanently because the row is full.
 */
export type QuarantineReason =
  | 'sandbox_flag_missing'
  | 'sandbox_flag_disagrees'
  | 'order_id_invalid'
  | 'transaction_id_invalid'
  | 'order_refused';

/** A row of `events`: one signed body, byte-exact, and its outcome. */
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
  /** Seconds since the epoch; absent when the row never expires. */
  readonly expiresAt?: number;
}

/** `present`: a row with this key already exists, and `bodySha256` is the hash of its body. */
export type PutResult =
  | { readonly kind: 'stored' }
  | { readonly kind: 'present'; readonly bodySha256: string; readonly orderId?: string };

export interface OrderRef {
  readonly mode: Mode;
  readonly id: string;
}

/** The state in an order's row: the facts decide, the status is derived from them. */
export interface OrderFacts {
  readonly facts: readonly string[];
  readonly status: string | undefined;
}

export interface EventWriter {
  /** Stores the row unless its key exists. Throws PermanentStoreError when DynamoDB will always refuse it. */
  put(row: EventRow): Promise<PutResult>;
}

export interface OrderMerge {
  readonly order: OrderRef;
  readonly facts: readonly string[];
  /** The status for a new row. */
  readonly status: string;
  /** The time stamp; read anew for each attempt of the write. */
  readonly now: () => Date;
}

export interface OrderWriter {
  /**
   * Adds facts to an order's set. `changed` is false when all of them were there already: the row stays as it
   * is. Throws PermanentStoreError when DynamoDB will always refuse the merge.
   */
  merge(merge: OrderMerge): Promise<OrderFacts & { readonly changed: boolean }>;
  /** Writes a derived status, unless facts were added since: the writer that added them sets the status. */
  setStatus(order: OrderRef, status: string, factCount: number): Promise<void>;
}

/** The row for the order query. */
export interface OrderRow extends OrderFacts {
  readonly order: OrderRef;
  readonly updatedAt: string;
}

export interface OrderReader {
  get(order: OrderRef): Promise<OrderRow | undefined>;
  /** The current rows by `order_key`; a key is absent when there is no such order. */
  getAll(keys: readonly string[]): Promise<ReadonlyMap<string, OrderRow>>;
}

export interface ChangeReader {
  /**
   * The first `limit` changes of a mode after a position, oldest first, and whether there are more. The index
   * holds only the latest change of an order, so the order moves towards the end with each change.
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
  /** The rows of these events without bodies, by event id; an id is absent when its row has expired. */
  summaries(mode: Mode, eventIds: readonly string[]): Promise<ReadonlyMap<string, EventSummary>>;
}

/** DynamoDB refused the request itself and will refuse it again. */
export class PermanentStoreError extends Error {
  override readonly name = 'PermanentStoreError';
}
