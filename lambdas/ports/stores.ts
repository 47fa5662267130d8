import type { Change, ChangePosition } from '../contract/change-position.ts';
import type { AnyMode, Mode } from '../domain/signature.ts';
import type { Act, Proposal } from './acts.ts';
import type { EventRow, OrderRef, OrderRow, TransactionRow } from './rows.ts';

/** The body of an event in a row of its own, which may expire while the event's row stays. */
export interface BodyRow {
  readonly key: string;
  readonly bodySha256: string;
  readonly body: Uint8Array;
  /** Seconds since the epoch; absent while the event waits. */
  readonly expiresAt?: number | undefined;
}

/** The first event of a name that has no meaning. */
export interface EventNameRow extends Partial<Record<'orderId' | 'amount' | 'currency', string>> {
  readonly mode: AnyMode;
  readonly eventName: string;
  readonly eventId: string;
  readonly recordedAt: string;
}

export type EventNameState = EventNameRow & Pick<EventRow, 'waiting' | 'judged'>;

/** The writes of a first delivery. None reads, and each may be repeated or meet others in any order. */
export interface DeliveryStore {
  /** Stores the row unless its key exists; returns whether it did not. Throws PermanentStoreError. */
  put(row: EventRow): Promise<boolean>;
  /** Stores the body unless it is there. */
  putBody(row: BodyRow): Promise<void>;
  /** Makes the name wait since its first event, unless it waits since an earlier one or was dismissed. */
  putEventName(row: EventNameRow): Promise<void>;
  /** Adds entries to the row of a transaction, unless it is full, and returns it. */
  join(join: TransactionJoin): Promise<TransactionRow>;
  /** Adds facts, and 1 to the sequence, unless the order has all. Throws PermanentStoreError: no room. */
  merge(merge: OrderMerge): Promise<void>;
  /** The event, which names no order, is in these orders; `false` if its row has changed since it was put. */
  settle(settlement: Settlement): Promise<boolean>;
  /** When a body expires that has a row of its own; without effect when it has none or an expiry. */
  expireBody(body: Pick<BodyRow, 'key' | 'bodySha256'>, expiresAt: number): Promise<void>;
}

export interface TransactionJoin {
  readonly mode: AnyMode;
  readonly transactionId: string;
  readonly entry: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

export interface OrderMerge {
  readonly order: OrderRef;
  readonly facts: readonly string[];
  /** The time stamp; read anew for each attempt of the write. */
  readonly now: () => Date;
}

export interface Settlement {
  readonly mode: AnyMode;
  readonly eventId: string;
  readonly orderIds: readonly string[];
}

/**
 * Every signed body in a partition, with its bytes: all under one event id, or the one that is no event.
 * `too_many_bodies`: more than `bodiesOfEventMax`, which no repair handles. `unreadable`: a row was damaged,
 * or written by a newer version.
 */
export type FoundBodies =
  | { readonly kind: 'found'; readonly rows: readonly EventRow[] }
  | { readonly kind: 'too_many_bodies' }
  | { readonly kind: 'unreadable' };

/** A row as it was read (absent when there was none) and as it shall be; the same object is only checked. */
export interface RowChange<Row> {
  readonly before: Row | undefined;
  readonly after: Row;
}

export interface Changes {
  /**
   * Rows of signed bodies. A body leaves its row, or its own row, when `after` has none. A new row with
   * `bodyRow` has its body in a row of its own. The row of an event is among them whenever another row under
   * its id changes: it is the lock.
   */
  readonly events: readonly RowChange<EventRow>[];
  readonly transactions: readonly (RowChange<TransactionRow> & {
    readonly mode: AnyMode;
    readonly transactionId: string;
  })[];
  readonly orders: readonly RowChange<OrderRow>[];
  /** Names that no longer wait. */
  readonly names: readonly (RowChange<EventNameState> & { readonly before: EventNameState })[];
  /** Acts of operators, each next to the rows that it concerns: `event_key` values, or `orderKey`. */
  readonly acts: readonly { readonly act: Act; readonly partition: string }[];
  /** One that changes must wait as it was read. */
  readonly proposals?: readonly RowChange<Proposal>[];
}

/**
 * `changed`: a row is no longer as it was read · `full`: the facts of these orders do not fit into their rows
 * · `too_large`: above the limits of one transaction (100 rows, 4 MB).
 */
export type Committed =
  | { readonly kind: 'committed' | 'changed' | 'too_large' }
  | { readonly kind: 'full'; readonly orderIds: readonly string[] };

type RepairReads = Pick<EventReader, 'bodiesOf' | 'findBody' | 'eventRows'>;
/** What a repair reads, all of it consistently, and its one write; a name may wait before it. */
export interface RepairStore extends RepairReads, Pick<DeliveryStore, 'putEventName'> {
  /** The sequence of an order before its first change, as readers see it. */
  readonly sequenceBase?: number | undefined;
  readonly keepsTransactions?: boolean;
  /** By id; without those that have no row. */
  transactionRows(mode: AnyMode, ids: readonly string[]): Promise<ReadonlyMap<string, TransactionRow>>;
  orderRows(mode: AnyMode, ids: readonly string[]): Promise<ReadonlyMap<string, OrderRow>>;
  /** One transaction, on condition that every row is as it was read. */
  commit(changes: Changes): Promise<Committed>;
}

export interface OrderReader {
  get(order: OrderRef): Promise<OrderRow | undefined>;
  /**
   * The current rows by `order_key`; a key is absent when there is no such order. Without `consistent`, at
   * half the price, rows may be a moment old.
   */
  getAll(
    keys: readonly string[],
    options?: { readonly consistent?: boolean },
  ): Promise<ReadonlyMap<string, OrderRow>>;
}

export interface EventNameReader {
  getEventName(mode: Mode, eventName: string): Promise<EventNameState | undefined>;
}

export interface TransactionReader {
  /** Without entries when nothing is known of the transaction. */
  getTransaction(mode: AnyMode, transactionId: string): Promise<TransactionRow>;
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

/** When and how an event came. */
export type EventSummary = Pick<EventRow, 'receivedAt' | 'recordedAt' | 'keyId' | 'bodySha256'>;

export interface EventReader {
  bodiesOf(key: string): Promise<FoundBodies>;
  /** The event, and the rows of one body under its id; works for any number of bodies. */
  findBody(key: string, bodySha256: string): Promise<readonly EventRow[]>;
  /** The first `bodiesOfEventMax` rows, the event among them, without those that are unreadable. */
  find(key: string): Promise<readonly EventRow[]>;
  /** The rows of events by id, without bodies; one that is missing or cannot be read is left out. */
  eventRows(mode: AnyMode, eventIds: readonly string[]): Promise<ReadonlyMap<string, EventRow>>;
  /** By event id, without rows that lack a part of it; eventually consistent where that finds the row. */
  summaries(mode: AnyMode, eventIds: readonly string[]): Promise<ReadonlyMap<string, EventSummary>>;
}

/** The item would be larger than DynamoDB's 400 KB, now and at every later attempt. */
export class PermanentStoreError extends Error {
  override readonly name = 'PermanentStoreError';
}

/** A signature matched a private key. */
export interface KeyUse {
  readonly mode: Mode;
  readonly keyId: string;
  /** ISO 8601 UTC. */
  readonly matchedAt: string;
}

export interface KeyUseReader {
  /** Every key that has matched, by id. */
  keyUses(mode: Mode): Promise<readonly KeyUse[]>;
}

export interface KeyUseWriter {
  /** Stores the use unless a later one of its key is stored. */
  putKeyUse(use: KeyUse): Promise<void>;
}
