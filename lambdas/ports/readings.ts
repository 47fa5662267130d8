import type { AnyMode } from '../domain/signature.ts';
import type { EventRow, Outcome } from './stores.ts';
import type { TransactionRow } from './transactions.ts';

/** What the body of a row says, where a version before read it differently. */
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
> & {
  /** Of an admitted conflict; by default that of the event. */
  readonly record?: string;
  readonly from: Outcome;
};

export interface ReadingWriter {
  /** Replaces what a row says about its body, if that and the outcome are still these. */
  reread(reading: Reading): Promise<void>;
}

export interface TransactionOrder {
  readonly mode: AnyMode;
  readonly transactionId: string;
  readonly orderId: string;
}

export interface TransactionLeaver {
  /**
   * Takes an order out of a transaction, because the payment that named it names another one. The only write
   * that makes a set smaller; a payment that still names the order adds it again. Returns the row after it.
   */
  leave(left: TransactionOrder): Promise<TransactionRow>;
}
