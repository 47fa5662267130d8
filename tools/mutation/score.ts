import type { MutantResult } from '@stryker-mutator/api/core';
import { type Found, isSame, type Survivor, survivorOf } from './survivor.ts';

/** What the tests of a stage noticed. Ignored mutants do not count. */
export interface Score {
  readonly mutants: number;
  readonly noticed: number;
  readonly survivors: readonly Found[];
  /** The survivors without a reason. */
  readonly missed: readonly Found[];
  /** The survivors that are not known, without those that a slow or broken machine may have made. */
  readonly unknown: readonly Found[];
}

export function scoreOf(results: readonly MutantResult[], known: readonly Survivor[]): Score {
  const noticed = results.filter(isNoticed).length;
  const survivors = results.flatMap((result): Found[] => {
    if (result.status === 'Survived' || result.status === 'NoCoverage') return [survivorOf(result)];
    const undecided = undecidedBecause(result);
    return undecided === undefined ? [] : [{ ...survivorOf(result), undecided }];
  });
  const isIn = (some: readonly Survivor[]) => (survivor: Survivor) =>
    some.some((one) => isSame(one, survivor));
  const explained = isIn(known.filter(({ reason }) => reason !== undefined));
  return {
    mutants: noticed + survivors.length,
    noticed,
    survivors,
    missed: survivors.filter((survivor) => !explained(survivor)),
    unknown: survivors.filter((one) => one.undecided === undefined && !isIn(known)(one)),
  };
}

/** A loop that does not end is found by counting its rounds, which no slow machine changes. */
const isEndless = ({ status, statusReason }: MutantResult): boolean =>
  status === 'Timeout' && (statusReason?.startsWith('Hit limit reached') ?? false);

const isNoticed = (result: MutantResult): boolean => result.status === 'Killed' || isEndless(result);

function undecidedBecause(result: MutantResult): string | undefined {
  if (result.status === 'RuntimeError') return `The test runner failed: ${result.statusReason}`;
  if (result.status === 'Timeout' && !isEndless(result)) return 'The time was over, and no loop was counted.';
  return undefined;
}

/** The noticed share of the mutants that a test can notice, in percent. */
export function percentOf({ noticed, missed }: Pick<Score, 'noticed' | 'missed'>): number {
  const noticeable = noticed + missed.length;
  return noticeable === 0 ? 100 : (noticed / noticeable) * 100;
}
