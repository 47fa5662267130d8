import type { Mode } from '../domain/signature.ts';
import type { EventRow } from './stores.ts';

/** What the body of an event's row says, where a version before read it differently. */
export type Reading = Pick<
  EventRow,
  | 'key'
  | 'mode'
  | 'bodySha256'
  | 'eventName'
  | 'orderId'
  | 'transactionId'
  | 'assignedOrderId'
  | 'fact'
  | 'outcome'
  | 'waiting'
>;

export interface ReadingWriter {
  /** Replaces what the event's row says about its body, if the row still has this body. */
  reread(reading: Reading): Promise<void>;
}

export interface TransactionOrder {
  readonly mode: Mode;
  readonly transactionId: string;
  readonly orderId: string;
}

export interface TransactionLeaver {
  /**
   * Takes an order out of a transaction, because the payment that named it names another one. The only write
   * that makes a set smaller; a payment that still names the order adds it again.
   */
  leave(left: TransactionOrder): Promise<void>;
}
