import { createHash } from 'node:crypto';
import type { AnyMode } from '../domain/signature.ts';
import { changeShards } from './limits.ts';
import type { WaitingKind } from './waiting-kinds.ts';

/**
 * The two tables: attribute names, keys and the values of key attributes. `lib/tables.ts` creates what this
 * describes.
 *
 * `events` is keyed by mode and event id, with one item per record about that event: the event itself, its
 * body, other bodies. A body without a usable id is keyed by its hash. The table holds more kinds of rows,
 * which must not run the order feed: what is known of a transaction, the first event of a name without a
 * meaning, the last use of each private key, and the acts of operators, next to what each act concerns; those
 * on an order are keyed by `orderKey`. `orders` is keyed by mode and order id.
 */
export const eventAttributes = {
  key: 'event_key',
  record: 'record',
  expiresAt: 'expires_at',
  recordedAt: 'recorded_at',
  waiting: 'waiting',
  /** Maps: the judgement of an operator on the row, and the erasure of its body. */
  judged: 'judged',
  erased: 'erased',
} as const;

/**
 * The attributes of a compact row (ADR 20) under short names, because DynamoDB bills names as well. The rest
 * of its attributes are those of any row; mode and event id follow from its key.
 */
export const compactAttributes = {
  /** Of a body's own row as well. */
  body: 'b',
  bodySha256: 'h',
  signature: 's',
  keyId: 'k',
  receivedAt: 'r',
  recordedAt: 't',
  /** The fact without the event id: name, transaction, amount, currency and time. */
  fact: 'f',
  /** The order that the body names. */
  orderId: 'o',
} as const;

/**
 * Sparse index of `events`: the rows that wait for a person. Partition key `waiting`, sort key `recorded_at`.
 * A row that does not wait has no attribute `waiting`, so it is not in the index and costs nothing there.
 */
export const waitingIndexName = 'waiting';

/** What the index holds of a row, next to the keys: enough to list it and to find its body. */
export const waitingAttributes = [
  'outcome',
  'reason',
  'event_id',
  'event_name',
  'order_id',
  'assigned_order_id',
  'transaction_id',
  'received_at',
  'body_sha256',
  'key_id',
] as const;

/** The value of the attribute `waiting`. */
export const waitingPartition = (mode: AnyMode, kind: WaitingKind): string => `${mode}:${kind}`;

export const orderAttributes = {
  key: 'order_key',
  /** As `storedFact` writes them, or as they are. */
  facts: 'facts',
  /** Padding that is given up when the row is full, so that the fact which reports it fits. */
  headroom: 'headroom',
  /** The same in a compact row (ADR 20). */
  padding: 'p',
  /** In the form of 0.2.0 only; both follow from the key. */
  mode: 'mode',
  orderId: 'order_id',
  /** Until 0.2.0 a copy of the derived status. A merge removes it. */
  status: 'status',
  updatedAt: 'updated_at',
  changeShard: 'change_shard',
  /** Seconds since the epoch; only rows of heartbeats have it. */
  expiresAt: 'expires_at',
} as const;

/** Attributes of the row of a transaction. */
export const transactionAttributes = {
  transactionId: 'transaction_id',
  /** The orders in which it was paid. */
  orderIds: 'order_ids',
  /** The facts that arrived without an order id. */
  facts: 'facts',
} as const;

/** Attributes of the row with the last use of a private key. */
export const keyUseAttributes = {
  keyId: 'key_id',
  /** When a signature last matched the key; late by `keyUseIntervalSeconds` at most. */
  lastMatchedAt: 'last_matched_at',
} as const;

/** Index of `orders` by change: partition key `change_shard`, sort key `updated_at`, keys only. */
export const changesIndexName = 'changes';

export const eventKey = (mode: AnyMode, eventId: string): string => `${mode}:event:${eventId}`;
export const unrecognisedKey = (mode: AnyMode, bodySha256: string): string => `${mode}:body:${bodySha256}`;
export const transactionKey = (mode: AnyMode, id: string): string => `${mode}:transaction:${id}`;
export const eventNameKey = (mode: AnyMode, eventName: string): string => `${mode}:name:${eventName}`;
/** All keys of a mode are in one partition, which one query lists. */
export const keyUsesKey = (mode: AnyMode): string => `${mode}:keys`;
/** The acts on many events at once. */
export const replayKey = (mode: AnyMode): string => `${mode}:replay`;
export const orderKey = (mode: AnyMode, orderId: string): string => `${mode}:order:${orderId}`;

/** The inverse of `orderKey`; `undefined` for any other text. */
export function orderOfKey(key: string): { readonly mode: AnyMode; readonly id: string } | undefined {
  const [, mode, id] = /^(live|sandbox|heartbeat):order:(.*)/s.exec(key) ?? [];
  return id === undefined ? undefined : { mode: mode as AnyMode, id };
}

/** The sort key of `events`. */
export const eventRecord = {
  event: 'event',
  /** The event's body, when bodies expire. */
  body: (bodySha256: string): string => `body:${bodySha256}`,
  /** The event in other bytes. */
  variant: (bodySha256: string): string => `variant:${bodySha256}`,
  conflict: (bodySha256: string): string => `conflict:${bodySha256}`,
  quarantine: (bodySha256: string): string => `quarantine:${bodySha256}`,
  unrecognised: 'unrecognised',
  transaction: 'transaction',
  eventName: 'event_name',
  keyUse: (keyId: string): string => `key:${keyId}`,
  /** What an operator did; sorts by time. */
  act: (at: string, id: string): string => `act:${at}:${id}`,
  /** What the records of all acts begin with. */
  acts: 'act:',
} as const;

/** The index partition of an order: its mode and a number derived from the order key. */
export function changeShard(mode: AnyMode, key: string): string {
  const digest = createHash('sha256').update(key).digest();
  return shardName(mode, digest.readUInt32BE(0) % changeShards);
}

/** Every index partition of a mode. */
export function changeShardsOf(mode: AnyMode): readonly string[] {
  return Array.from({ length: changeShards }, (_, shard) => shardName(mode, shard));
}

const shardName = (mode: AnyMode, shard: number): string => `${mode}:${shard}`;
