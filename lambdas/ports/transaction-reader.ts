import type { AnyMode } from '../domain/signature.ts';
import type { TransactionRow } from './stores.ts';

export interface TransactionReader {
  /** Empty sets for a transaction of which nothing is known. */
  get(mode: AnyMode, transactionId: string): Promise<TransactionRow>;
}
