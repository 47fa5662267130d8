import type { Change, ChangePosition } from '../contract/change-position.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { UnrecognisedReason } from '../domain/payment-event.ts';
import type { AnyMode, Mode } from '../domain/signature.ts';
import type { BodyErasure, Erasure, Judgement } from './decisions.ts';

/**
 * The fate of a signed body: `applied` to its order · `recorded`, it names no order and moves no money ·
 * `unassigned`, it moves money and its order is not known yet · `conflict`, another body has its event id ·
 * `duplicate`, an earlier event in other bytes · `quarantined`, not applied; a person must judge it ·
 * `unrecognised`, not an event.
 */
export type Outcome =
  | 'applied'
  | 'recorded'
  | 'unassigned'
  | 'conflict'
  | 'duplicate'
  | 'quarantined'
  | 'unrecognised';

/**
 * Why a signed event is kept out of its order and waits for a person. `sandbox_flag_*`: live and sandbox
 * never meet · `order_id_invalid`, `transaction_id_invalid`: not text, not valid Unicode or too long ·
 * `order_refused`: its order is full.
 */
export type QuarantineReason =
  | 'sandbox_flag_missing'
  | 'sandbox_flag_disagrees'
  | 'order_id_invalid'
  | 'transaction_id_invalid'
  | 'order_refused';

/** A row of `events`: one signed body and its outcome. */
export interface EventRow {
  /** `event_key` and `record` of `schema.ts`. */
  readonly key: string;
  readonly record: string;
  readonly mode: AnyMode;
  readonly outcome: Outcome;
  readonly reason?: UnrecognisedReason | QuarantineReason;
  /** Absent when the row does not wait for anything. */
  readonly waiting?: WaitingKind;
  readonly eventId?: string;
  readonly eventName?: string;
  /** The order that the body names. */
  readonly orderId?: string;
  readonly transactionId?: string;
  /** The order that the event was applied to because of its transaction. */
  readonly assignedOrderId?: string;
  /** What the event adds to its order. A stored row has it when it does not follow from body and order id. */
  readonly fact?: string;
  /** While the row still waits, an admission that is not complete. */
  readonly judged?: Judgement;
  readonly erased?: Erasure;
  /** Byte-exact. Absent when it is in a row of its own, has expired, or was erased. */
  readonly body?: Uint8Array;
  /** Lowercase hexadecimal, both. Events of 0.2.0 have no signature. */
  readonly bodySha256: string;
  readonly signature?: string;
  readonly keyId: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly recordedAt: string;
  /** Seconds since the epoch; absent when the row never expires. */
  readonly expiresAt?: number;
}

/** The body of an event, in a row that may expire while the event's row stays. */
export type BodyRow = Required<Pick<EventRow, 'key' | 'body' | 'bodySha256'>> & Pick<EventRow, 'expiresAt'>;

/** The first event of a name that has no meaning. */
export type EventNameRow = Required<Pick<EventRow, 'mode' | 'eventName' | 'eventId' | 'recordedAt'>> &
  Pick<EventRow, 'orderId'>;

/** `present`: a row with this key already exists. */
export type PutResult = { readonly kind: 'stored' } | { readonly kind: 'present'; readonly row: EventRow };

/** The new state of an event's row, if the row has this fact or this body, and still the outcome `from`. */
export type Settlement = Pick<
  EventRow,
  'key' | 'mode' | 'outcome' | 'reason' | 'waiting' | 'assignedOrderId'
> & {
  readonly from?: Outcome;
  /** Every order that an applied event was merged into. */
  readonly mergedInto?: readonly string[];
} & ({ readonly fact: string } | { readonly bodySha256: string; readonly fact?: string });

export interface EventWriter {
  /** Stores the row unless its key exists. Throws PermanentStoreError when the row is too large. */
  put(row: EventRow): Promise<PutResult>;
  /** Stores the body unless it is there already and expires no sooner, or was erased. */
  putBody(row: BodyRow): Promise<void>;
  /** Stores the name unless it is there already. */
  putEventName(row: EventNameRow): Promise<void>;
  getRow(key: string, record: string): Promise<EventRow | undefined>;
  /**
   * Updates the event's row and returns the hash of its body; `undefined` when it holds another event. A
   * settlement with a fact alone leaves the row of an event that names its order. Of two orders that an event
   * was assigned to, the row keeps the lesser, whichever comes first; and one that refused the event, until
   * the event is merged into that one too.
   */
  settle(settlement: Settlement): Promise<string | undefined>;
  /** When a body expires; `undefined` keeps it. Without effect when the body is not there. */
  setBodyExpiry(body: Pick<BodyRow, 'key' | 'bodySha256'>, expiresAt: number | undefined): Promise<void>;
  /**
   * Removes the body of a row, once: a repetition keeps the first decision. The row of a body stays without
   * it, or is created, and never expires, so that a later delivery does not store the body again. Without
   * effect on any other row that is not there.
   */
  eraseBody(erasure: BodyErasure): Promise<void>;
}

export interface OrderRef {
  readonly mode: AnyMode;
  readonly id: string;
}

export interface OrderMerge {
  readonly order: OrderRef;
  readonly facts: readonly string[];
  /** The time stamp; read anew for each attempt of the write. */
  readonly now: () => Date;
  /** Gives up the space that the row keeps free for the fact which reports that the row is full. */
  readonly releasesHeadroom?: boolean;
}

export interface OrderWriter {
  /**
   * Adds facts to an order's set. `changed` is false when all of them were there already: the row stays as it
   * is. Throws PermanentStoreError when the row is full.
   */
  merge(merge: OrderMerge): Promise<{ readonly facts: readonly string[]; readonly changed: boolean }>;
}

/** The row for the order query. Its facts are the state of the order; nothing else is stored. */
export interface OrderRow {
  readonly order: OrderRef;
  readonly facts: readonly string[];
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
  after(mode: Mode, position: ChangePosition, limit: number): Promise<ChangePage>;
  /** The same before a position, newest first. */
  before(mode: Mode, position: ChangePosition, limit: number): Promise<ChangePage>;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  readonly more: boolean;
}

/** A row of `events` without the body: no customer data. */
export type EventSummary = Pick<
  EventRow,
  'orderId' | 'assignedOrderId' | 'transactionId' | 'receivedAt' | 'recordedAt' | 'keyId' | 'bodySha256'
>;

export interface EventReader {
  /** The event and all other bodies under its id; of more than `eventRecordsMax` so many, with the event. */
  find(mode: AnyMode, eventId: string): Promise<readonly EventRow[]>;
  /** The event, and the rows of one body under its id. */
  findBody(mode: AnyMode, eventId: string, bodySha256: string): Promise<readonly EventRow[]>;
  /** The rows of these events without bodies, by event id; an id is absent when its row has expired. */
  summaries(mode: AnyMode, eventIds: readonly string[]): Promise<ReadonlyMap<string, EventSummary>>;
}

/** The item would be larger than DynamoDB's 400 KB, now and at every later attempt. */
export class PermanentStoreError extends Error {
  override readonly name = 'PermanentStoreError';
}
