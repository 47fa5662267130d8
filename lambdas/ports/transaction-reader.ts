import type { Mode } from '../domain/signature.ts';
import type { TransactionRow } from './stores.ts';

export interface TransactionReader {
  /** Empty sets for a transaction of which nothing is known. */
  get(mode: Mode, transactionId: string): Promise<TransactionRow>;
}
