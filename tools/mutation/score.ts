import type { MutantResult } from '@stryker-mutator/api/core';
import { type Found, isSame, type Survivor, survivorOf } from './survivor.ts';

/** What the tests of a stage noticed. Mutants that ended the test runner, and ignored ones, do not count. */
export interface Score {
  readonly mutants: number;
  readonly noticed: number;
  readonly survivors: readonly Found[];
  /** The survivors without a reason. */
  readonly missed: readonly Found[];
  /** The survivors that are not known. */
  readonly unknown: readonly Found[];
}

export function scoreOf(results: readonly MutantResult[], known: readonly Survivor[]): Score {
  const noticed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const survivors = results
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(survivorOf);
  const isIn = (some: readonly Survivor[]) => (survivor: Survivor) =>
    some.some((one) => isSame(one, survivor));
  const explained = isIn(known.filter(({ reason }) => reason !== undefined));
  return {
    mutants: noticed + survivors.length,
    noticed,
    survivors,
    missed: survivors.filter((survivor) => !explained(survivor)),
    unknown: survivors.filter((survivor) => !isIn(known)(survivor)),
  };
}

/** The noticed share of the mutants that a test can notice, in percent. */
export function percentOf({ noticed, missed }: Pick<Score, 'noticed' | 'missed'>): number {
  const noticeable = noticed + missed.length;
  return noticeable === 0 ? 100 : (noticed / noticeable) * 100;
}
