import type { AnyMode } from '../domain/signature.ts';

/** What is known of a transaction: two sets that only grow. */
export interface TransactionRow {
  /** The orders in which it was paid. */
  readonly orderIds: readonly string[];
  /** The facts that arrived without an order id. */
  readonly facts: readonly string[];
}

export interface TransactionJoin {
  readonly mode: AnyMode;
  readonly transactionId: string;
  readonly add:
    | { readonly orderId: string; readonly unlessOthers?: boolean }
    | { readonly fact: string }
    /** Of a fact, among the facts; it has room where a further fact has none. */
    | { readonly correction: string };
}

export interface TransactionWriter {
  /** Adds to one of the sets, unless it is full or, `unlessOthers`, has another order; returns both. */
  join(join: TransactionJoin): Promise<TransactionRow>;
}

export interface TransactionReader {
  /** Empty sets for a transaction of which nothing is known. */
  get(mode: AnyMode, transactionId: string): Promise<TransactionRow>;
}
