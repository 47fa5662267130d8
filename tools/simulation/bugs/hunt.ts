import type { Violation } from '../checker/violation.ts';
import { judgeSeed } from '../command/result.ts';
import { bundleStages, loadBundles } from '../lambda/bundles.ts';
import { formerCode } from '../lambda/former-code.ts';
import type { Bug } from './bug.ts';
import { bugPlugin } from './bug-plugin.ts';

/** How many seeds may pass before a bug is found: a simulation that needs more is too weak. */
export const seedsMax = 120;

/** What became of the search for one bug. */
export interface Hunt {
  readonly bug: Bug;
  /** The seeds that were run. */
  readonly seeds: number;
  /** The first seed that found it, and the first rule that it broke; `undefined` when none did. */
  readonly found: { readonly seed: number; readonly violation: Violation } | undefined;
}

/**
 * Runs seeds with the bug in the bundles, until one breaks a rule. `known` is a seed that found it before: it
 * comes first, so that a repetition takes one run.
 */
export async function hunt(bug: Bug, known?: number): Promise<Hunt> {
  const plugins = [bugPlugin(bug)];
  const code = await bundleStages({ plugins });
  const bundles = loadBundles({ old: code, new: code, former: await formerCode(code, { plugins }) });
  const inOrder = Array.from({ length: seedsMax }, (_, index) => index + 1);
  const all = known === undefined ? inOrder : [known, ...inOrder.filter((seed) => seed !== known)];
  for (const [index, seed] of all.entries()) {
    const [violation] = (await judgeSeed(seed, bundles)).violations;
    if (violation !== undefined) return { bug, seeds: index + 1, found: { seed, violation } };
  }
  return { bug, seeds: all.length, found: undefined };
}
