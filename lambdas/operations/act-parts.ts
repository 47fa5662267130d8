import type { MeaningOf } from '../domain/assumptions.ts';
import type { ActReader, ActWriter } from '../ports/acts.ts';
import type { JudgementWriter } from '../ports/judgements.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { ActStores } from './dry-run-stores.ts';

/** What the acts of operators are made of. */
export interface ActParts extends ActStores {
  readonly judgements: JudgementWriter;
  readonly acts: ActWriter & ActReader;
  readonly meaningOf: MeaningOf;
  /** `undefined` keeps the bodies of events forever. */
  readonly eventRetentionDays: number | undefined;
  readonly now: () => Date;
  readonly telemetry: Telemetry;
}
