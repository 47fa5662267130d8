import type { MeaningOf } from '../domain/assumptions.ts';
import type {
  EventReader,
  EventWriter,
  OrderReader,
  OrderWriter,
  TransactionWriter,
} from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { WaitingReader } from '../ports/waiting-reader.ts';

/** What the routes of the operations API are made of. */
export interface OperationsParts {
  readonly events: EventWriter & EventReader;
  readonly transactions: TransactionWriter;
  readonly orders: OrderWriter & OrderReader;
  readonly waiting: WaitingReader;
  readonly meaningOf: MeaningOf;
  /** `undefined` keeps the bodies of events forever. */
  readonly eventRetentionDays: number | undefined;
  readonly now: () => Date;
  readonly telemetry: Telemetry;
}
