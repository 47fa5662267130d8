import type { LevelKind } from '../contract/metrics.ts';
import type { Meaning } from '../domain/assumptions.ts';
import type { AnyMode, Mode } from '../domain/signature.ts';
import type { EventRow } from './rows.ts';
import type { EventNameRow } from './stores.ts';

/** What the index holds of a row: its event, its reading in part, and how to find its body. */
export interface WaitingRow
  extends Pick<EventRow, 'key' | 'record' | 'recordedAt'>,
    Partial<Pick<EventRow, 'outcome' | 'reason' | 'receivedAt' | 'bodySha256' | 'keyId'>> {
  /** Of a name, its first event; absent for a body that is no event. */
  readonly eventId?: string;
  readonly eventName?: string;
  readonly orderId?: string;
  readonly transactionId?: string;
  readonly meaning?: Meaning;
  readonly amount?: string;
  readonly currency?: string;
  /** Sorted. Empty unless its orders refused the event. */
  readonly assignedOrderIds: readonly string[];
}

/** The place of a row in its list. */
export type WaitingPosition = Pick<WaitingRow, 'key' | 'record' | 'recordedAt'>;

export interface WaitingSelection {
  readonly mode: AnyMode;
  readonly kind: LevelKind;
  /** The order that the body names, or that the event was assigned to. */
  readonly orderId?: string | undefined;
  readonly transactionId?: string | undefined;
  /** When the row was recorded; both inclusive, ISO 8601 UTC with milliseconds. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
  /** The end of the page before. */
  readonly after?: WaitingPosition | undefined;
}

export interface WaitingPage {
  /** Oldest first. A selection by order or transaction may leave a page empty before the last. */
  readonly rows: readonly WaitingRow[];
  /** `undefined` on the last page. */
  readonly next: WaitingPosition | undefined;
}

/** The index of what waits for a person; eventually consistent. */
export interface WaitingReader {
  /** One page of a list, in one call. */
  list(selection: WaitingSelection): Promise<WaitingPage>;
  /** How many rows of a kind wait; above some thousands at least so many. */
  count(mode: Mode, kind: LevelKind): Promise<number>;
  /** When the oldest row of a kind was recorded; `undefined` when nothing waits. */
  oldest(mode: Mode, kind: LevelKind): Promise<string | undefined>;
  /** How many orders list each attention: an order may list several. */
  attentions(mode: Mode): Promise<Readonly<Record<string, number>>>;
  /** The event names that wait, oldest first. */
  eventNames(mode: Mode): Promise<readonly Pick<EventNameRow, 'eventName' | 'recordedAt'>[]>;
}
