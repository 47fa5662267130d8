import type { ActReader } from '../ports/acts.ts';
import type { TransactionReader } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { WaitingReader } from '../ports/waiting-reader.ts';
import type { ListParts } from './list-orders.ts';

export interface OrderQueryParts extends ListParts {
  readonly transactions: TransactionReader;
  readonly waiting: Pick<WaitingReader, 'list'>;
  readonly acts: ActReader;
  readonly telemetry: Telemetry;
}
