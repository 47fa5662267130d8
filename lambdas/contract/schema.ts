import { hash } from 'node:crypto';
import type { AnyMode, Mode } from '../domain/signature.ts';
import { changeShards } from './limits.ts';
import type { LevelKind } from './metrics.ts';

/**
 * The two tables, which `lib/tables.ts` creates. `events` is keyed by mode and event id, with one item for
 * the event itself, its body, and each other body; a body without a usable id, or without a seal, is keyed by
 * its hash. It holds more kinds of rows, which must not run the order feed: transactions, the first event of
 * a name without a meaning, the last use of each private key, the orders with attention, the acts of
 * operators, next to what each concerns, those on an order under `orderKey`, and the acts that were proposed.
 * `orders` is keyed by mode and order id.
 */
export const eventAttributes = {
  key: 'event_key',
  record: 'record',
  /** Bytes: compressed (`body_encoding` names how) or as received. */
  body: 'body',
  bodyEncoding: 'body_encoding',
  bodySha256: 'body_sha256',
  signature: 'signature',
  keyId: 'key_id',
  receivedAt: 'received_at',
  recordedAt: 'recorded_at',
  /** Seconds since the epoch: of a body in a row of its own, and of the rows of heartbeats. */
  expiresAt: 'expires_at',
  /** Of the first event of a name; that of a body follows from its key. */
  eventId: 'event_id',
  /** What the body was read as (`domain/payment-event.ts`). */
  eventName: 'event_name',
  meaning: 'meaning',
  orderId: 'order_id',
  transactionId: 'transaction_id',
  amount: 'amount',
  currency: 'currency',
  createdAt: 'created_at',
  /** What follows from the readings and judgements (`projection/`). */
  outcome: 'outcome',
  reason: 'reason',
  waiting: 'waiting',
  assignedOrderIds: 'assigned_order_ids',
  /** Its partition in the index by receipt. */
  receiptShard: 'receipt_shard',
  /** Maps: the judgement of an operator on the row, and the erasure of its body. */
  judged: 'judged',
  erased: 'erased',
  /** How often the row has changed since it was stored; absent for never. */
  version: 'version',
} as const;

/**
 * Sparse index of the rows of `events` that wait for a person: partition key `waiting`, sort key
 * `recorded_at`.
 */
export const waitingIndexName = 'waiting';

/** What the index holds of a row, next to the keys: enough to list it and to find its body. */
export const waitingAttributes = [
  eventAttributes.outcome,
  eventAttributes.reason,
  eventAttributes.eventId,
  eventAttributes.eventName,
  eventAttributes.orderId,
  eventAttributes.assignedOrderIds,
  eventAttributes.transactionId,
  eventAttributes.meaning,
  eventAttributes.amount,
  eventAttributes.currency,
  eventAttributes.receivedAt,
  eventAttributes.bodySha256,
  eventAttributes.keyId,
] as const;

/**
 * Index of all rows of `events` that hold a signed body, but for those of heartbeats: partition key
 * `receipt_shard`, sort key `received_at`, which never changes.
 */
export const receiptsIndexName = 'receipts';

/** What that index holds of a row, next to the keys: enough to list it. */
export const receiptAttributes = [
  eventAttributes.recordedAt,
  eventAttributes.outcome,
  eventAttributes.reason,
  eventAttributes.waiting,
  eventAttributes.eventName,
  eventAttributes.orderId,
  eventAttributes.assignedOrderIds,
  eventAttributes.transactionId,
  eventAttributes.amount,
  eventAttributes.currency,
  eventAttributes.bodySha256,
] as const;

/** The value of the attribute `waiting`. */
export const waitingPartition = (mode: AnyMode, kind: LevelKind): string => `${mode}:${kind}`;

export const orderAttributes = {
  key: 'order_key',
  facts: 'facts',
  /** Counts the changes of the facts. What readers see is this and the setting `sequenceBase`. */
  sequence: 'sequence',
  updatedAt: 'updated_at',
  changeShard: 'change_shard',
  /** Identifies the last request to publish the order again. */
  published: 'published',
  /** Padding that is given up when the row is full, so that the fact which reports it fits. */
  headroom: 'headroom',
  /** Seconds since the epoch; only rows of heartbeats have it. */
  expiresAt: 'expires_at',
} as const;

/** Attributes of the row of a transaction. */
export const transactionAttributes = {
  /** The texts of `domain/transaction-entry.ts`. */
  entries: 'entries',
  /** When a consumer last added an entry. */
  joinedAt: 'joined_at',
  version: 'version',
} as const;

/** Attributes of the row with the last use of a private key. */
export const keyUseAttributes = {
  keyId: 'key_id',
  /** When a signature last matched the key; late by `keyUseIntervalSeconds` at most. */
  lastMatchedAt: 'last_matched_at',
} as const;

/**
 * Attributes of the row of an order with attention, in addition to those of the index of what waits, whose
 * `reason` is the set of its attentions.
 */
export const attentionAttributes = {
  /** Of its last change, as readers see it. */
  sequence: 'sequence',
} as const;

/** Index of `orders` by change: partition key `change_shard`, sort key `updated_at`, keys only. */
export const changesIndexName = 'changes';

export const eventKey = (mode: AnyMode, eventId: string): string => `${mode}:event:${eventId}`;
export const unrecognisedKey = (mode: AnyMode, bodySha256: string): string => `${mode}:body:${bodySha256}`;
export const transactionKey = (mode: AnyMode, id: string): string => `${mode}:transaction:${id}`;
export const eventNameKey = (mode: AnyMode, eventName: string): string => `${mode}:name:${eventName}`;
/** All keys of a mode are in one partition, which one query lists. */
export const keyUsesKey = (mode: AnyMode): string => `${mode}:keys`;
/** Of the order feed alone. */
export const attentionKey = (mode: Mode, orderId: string): string => `${mode}:attention:${orderId}`;
/** The acts on many events at once. */
export const replayKey = (mode: AnyMode): string => `${mode}:replay`;
export const proposalKey = (mode: AnyMode, id: string): string => `${mode}:proposal:${id}`;
export const orderKey = (mode: AnyMode, orderId: string): string => `${mode}:order:${orderId}`;

function inverseOf(kind: string) {
  const format = new RegExp(`^(live|sandbox|heartbeat):${kind}:(.*)`, 's');
  return (key: string) => {
    const [, mode, id] = format.exec(key) ?? [];
    return id === undefined ? undefined : { mode: mode as AnyMode, id };
  };
}

/** The inverse of `eventKey` and `orderKey`; `undefined` for any other text. */
export const eventOfKey = inverseOf('event');
export const orderOfKey = inverseOf('order');

/** The sort key of `events`. */
export const eventRecord = {
  event: 'event',
  /** A body that may expire, next to the row that names its hash. */
  body: (bodySha256: string): string => `body:${bodySha256}`,
  /** Another event under the same id. */
  conflict: (bodySha256: string): string => `conflict:${bodySha256}`,
  quarantine: (bodySha256: string): string => `quarantine:${bodySha256}`,
  unrecognised: 'unrecognised',
  /** Next to a sealed body of the same bytes that is no event. */
  unsealed: 'unsealed',
  transaction: 'transaction',
  eventName: 'event_name',
  proposal: 'proposal',
  attention: 'attention',
  keyUse: (keyId: string): string => `key:${keyId}`,
  /** What an operator did; sorts by time. */
  act: (at: string, id: string): string => `act:${at}:${id}`,
  /** What the records of all acts begin with. */
  acts: 'act:',
} as const;

/** The index partition of an order or an event: its mode and a number derived from its key. */
export function changeShard(mode: AnyMode, key: string): string {
  const digest = hash('sha256', key, 'buffer');
  return shardName(mode, digest.readUInt32BE(0) % changeShards);
}

/** Every index partition of a mode. */
export const changeShardsOf = (mode: AnyMode): readonly string[] =>
  Array.from({ length: changeShards }, (_, shard) => shardName(mode, shard));

const shardName = (mode: AnyMode, shard: number): string => `${mode}:${shard}`;
