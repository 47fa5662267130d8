import type { ActReader } from '../ports/acts.ts';
import type { ChangeReader, EventReader, OrderReader, TransactionReader } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { WaitingReader } from '../ports/waiting-reader.ts';

export interface OrderQueryParts {
  readonly orders: OrderReader;
  readonly events: EventReader;
  readonly changes: ChangeReader;
  readonly transactions: TransactionReader;
  readonly waiting: Pick<WaitingReader, 'list'>;
  readonly acts: ActReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}
