import { check } from '../checker/check.ts';
import type { Violation } from '../checker/violation.ts';
import { counts } from '../counts.ts';
import type { Bundles } from '../lambda/bundles.ts';
import { type RunOptions, runSeed } from '../run.ts';

/** What is left of a run once it is judged. */
export interface SeedResult {
  readonly seed: number;
  readonly hash: string;
  readonly violations: readonly Violation[];
  readonly counts: Readonly<Record<string, number>>;
}

export async function judgeSeed(
  seed: number,
  bundles: Bundles,
  onLine?: RunOptions['onLine'],
): Promise<SeedResult> {
  const { history, hash } = await runSeed({ seed, bundles, onLine });
  return { seed, hash, violations: check(history), counts: counts(history) };
}
