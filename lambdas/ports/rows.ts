import type { WaitingKind } from '../contract/metrics.ts';
import { eventRecord } from '../contract/schema.ts';
import type { Reading, UnrecognisedReason } from '../domain/payment-event.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { Decision, Judgement } from './acts.ts';

/**
 * What became of a signed body: `applied` to its order · `recorded`, it names no order and moves no money ·
 * `unassigned`, it moves money and its order is not known yet · `conflict`, another body has its event id ·
 * `quarantined`, not applied; a person must judge it · `unrecognised`, not an event · `unsealed`, not from
 * the verifier.
 */
export const outcomes = [
  ...(['applied', 'recorded', 'unassigned', 'conflict', 'quarantined', 'unrecognised', 'unsealed'] as const),
] as const;
export type Outcome = (typeof outcomes)[number];

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

/**
 * A row of `events`: one signed body. The row of an event is the lock on its id and never expires. Outcome,
 * reason, waiting and assigned orders follow from reading, judgement and erasure (`projection/project.ts`).
 */
export interface EventRow {
  /** `event_key` and `record` of `schema.ts`. */
  readonly key: string;
  readonly record: string;
  readonly mode: AnyMode;
  /** Both are absent for a body that is no event, or not sealed. */
  readonly eventId?: string;
  readonly reading?: Reading;
  readonly outcome: Outcome;
  readonly reason?: UnrecognisedReason | QuarantineReason;
  /** Absent when the row does not wait for anything. */
  readonly waiting?: WaitingKind;
  /** The orders of an event that names none, sorted: those of its transaction, or an operator's choice. */
  readonly assignedOrderIds: readonly string[];
  readonly judged?: Judgement;
  /** Its body was removed, and with it what that held about the customer. */
  readonly erased?: Decision;
  /** Byte-exact. Absent when it has expired, was erased, or was not read. */
  readonly body?: Uint8Array;
  /** When the body is in a row of its own: when that expires, in seconds since the epoch. */
  readonly bodyRow?: { readonly expiresAt?: number };
  /** Lowercase hexadecimal, both. */
  readonly bodySha256: string;
  readonly signature: string;
  readonly keyId: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly recordedAt: string;
  /** Counts the changes since the row was stored. */
  readonly version: number;
}

/** The row of a body that is an event. */
export type ReadRow = EventRow & Required<Pick<EventRow, 'eventId' | 'reading'>>;

/** The row of the event itself, the lock on its id. */
export const isOwn = (row: EventRow): row is ReadRow => row.record === eventRecord.event;
/** The row of another event under the same id. */
export const isConflict = (row: EventRow): row is ReadRow => row.record.startsWith(eventRecord.conflict(''));
/** A body that counts, or contests one that does. */
export const isContender = (row: EventRow): row is ReadRow => isOwn(row) || isConflict(row);

/** The body was admitted into another row, which has its time of receipt. */
export const isReplaced = (row: EventRow): boolean => row.judged?.verdict === 'admitted' && !isContender(row);

/** Also an event that was dismissed when it waited for its order. */
export const isAdmitted = ({ judged }: Pick<EventRow, 'judged'>): boolean =>
  judged?.verdict === 'admitted' || judged?.admittedAt !== undefined;

/** The orders that a row names, has, or was given. */
export const ordersOfRow = ({ reading, assignedOrderIds, judged }: EventRow): readonly string[] =>
  [reading?.orderId, judged?.orderId, ...assignedOrderIds].filter((id) => id != null);

/** A row of `events`: what the events of one transaction have in common, in any order of arrival. */
export interface TransactionRow {
  /** The texts of `domain/transaction-entry.ts`, one or two for each event of the transaction. */
  readonly entries: readonly string[];
  /** When a consumer last added an entry; ISO 8601 UTC. */
  readonly joinedAt?: string;
  readonly version: number;
}

export interface OrderRef {
  readonly mode: AnyMode;
  readonly id: string;
}

/** The time of a row that lost its own. */
export const unknownTime = new Date(0).toISOString();

/** A row of `orders`. Its facts are the state of the order; nothing else is stored. */
export interface OrderRow {
  readonly order: OrderRef;
  readonly facts: readonly string[];
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
  /** Grows with every change of the facts, also when some leave; never goes back. */
  readonly sequence: number;
  /** Identifies the last request of an operator to publish the order again. */
  readonly published?: string;
}
