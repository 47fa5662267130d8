import type { MutantResult } from '@stryker-mutator/api/core';
import { type Equivalent, isSame, type Survivor, survivorOf } from './survivors.ts';

/** What the tests of a stage noticed. Mutants that ended the test runner, and ignored ones, do not count. */
export interface Score {
  readonly mutants: number;
  readonly noticed: number;
  /** Survivors that are explained. */
  readonly equivalent: number;
  /** The other survivors. */
  readonly missed: readonly (Survivor & { readonly line: number })[];
}

export function scoreOf(results: readonly MutantResult[], equivalents: readonly Equivalent[]): Score {
  const noticed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const survivors = results
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(survivorOf);
  const missed = survivors.filter((survivor) => !equivalents.some((one) => isSame(one, survivor)));
  return {
    mutants: noticed + survivors.length,
    noticed,
    equivalent: survivors.length - missed.length,
    missed,
  };
}

/** The noticed share of the mutants that a test can notice, in percent. */
export function percentOf({ mutants, noticed, equivalent }: Score): number {
  return mutants === equivalent ? 100 : (noticed / (mutants - equivalent)) * 100;
}
