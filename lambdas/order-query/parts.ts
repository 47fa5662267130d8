import type { OrderWaitingReader } from '../ports/order-waiting.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { TransactionReader } from '../ports/transaction-reader.ts';
import type { ListParts } from './list-orders.ts';

export interface OrderQueryParts extends ListParts {
  readonly transactions: TransactionReader;
  readonly waiting: OrderWaitingReader;
  readonly telemetry: Telemetry;
}
