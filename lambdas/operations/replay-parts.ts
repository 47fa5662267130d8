import type { MeaningOf } from '../domain/assumptions.ts';
import type { ActStores } from './dry-run-stores.ts';

export interface ReplayParts extends ActStores {
  readonly meaningOf: MeaningOf;
  /** `undefined` keeps the bodies of events forever. */
  readonly eventRetentionDays: number | undefined;
  readonly now: () => Date;
}
