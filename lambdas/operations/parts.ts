import type { RowFormat } from '../contract/row-format.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import type { ActReader, ActWriter } from '../ports/acts.ts';
import type { JudgementWriter } from '../ports/judgements.ts';
import type { KeyUseReader } from '../ports/key-uses.ts';
import type { ReadingWriter, TransactionLeaver } from '../ports/readings.ts';
import type { EventScan, OrderScan } from '../ports/scans.ts';
import type { EventReader, EventWriter, OrderReader, OrderWriter } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { TransactionReader, TransactionWriter } from '../ports/transactions.ts';
import type { UnrecognisedReader } from '../ports/unrecognised-reader.ts';
import type { WaitingReader } from '../ports/waiting-reader.ts';

/** What the routes of the operations API are made of. */
export interface OperationsParts {
  readonly events: EventWriter & EventReader & UnrecognisedReader & ReadingWriter;
  readonly transactions: TransactionWriter & TransactionReader & TransactionLeaver;
  readonly orders: OrderWriter & OrderReader;
  readonly eventScan: EventScan;
  readonly orderScan: OrderScan;
  readonly acts: ActWriter & ActReader;
  readonly judgements: JudgementWriter;
  readonly keyUses: KeyUseReader;
  readonly waiting: WaitingReader;
  readonly meaningOf: MeaningOf;
  /** `undefined` keeps the bodies of events forever. */
  readonly eventRetentionDays: number | undefined;
  readonly rowFormat?: RowFormat;
  readonly now: () => Date;
  /** Waits this many milliseconds; by default for real. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  readonly telemetry: Telemetry;
}
