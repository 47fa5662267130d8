import type { Classify } from '../consumer/classify.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import type { ActReader } from '../ports/acts.ts';
import type { KeyUseReader } from '../ports/key-uses.ts';
import type { EventScan, OrderScan } from '../ports/scans.ts';
import type { EventNameReader, EventReader, OrderReader, RepairStore } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { WaitingReader } from '../ports/waiting-reader.ts';
import type { RepairParts } from '../projection/repair.ts';

/** What the routes of the operations API are made of. */
export interface OperationsParts extends RepairParts {
  readonly store: RepairStore;
  readonly events: EventReader & EventNameReader;
  readonly orders: OrderReader;
  readonly eventScan: EventScan;
  readonly orderScan: OrderScan;
  readonly acts: ActReader;
  readonly keyUses: KeyUseReader;
  readonly waiting: WaitingReader;
  readonly classify: Classify;
  readonly meaningOf: MeaningOf;
  /** Changes with the setting `eventMeanings`: a run notices that it was begun with other meanings. */
  readonly meaningsId: string;
  readonly telemetry: Telemetry;
}
