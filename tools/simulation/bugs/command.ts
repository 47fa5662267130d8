import { rules } from '../checker/violation.ts';
import { judgeSeed } from '../command/pool.ts';
import { bundleVersions, loadBundles } from '../lambda/bundles.ts';
import type { Bug } from './bug.ts';
import { bugs } from './bugs.ts';

/** How many seeds may pass before a bug is found: a simulation that needs more is too weak. */
const seedsMax = 200;

/** Looks for one bug, or for each, until a seed breaks its rule; returns the exit code. */
export async function huntBugs(name: string, print: (line: string) => void): Promise<number> {
  const wanted = Object.entries(bugs).filter(([one]) => name === 'all' || one === name);
  let left = 0;
  for (const [one, bug] of wanted) {
    const found = await hunt(bug);
    if (found === undefined) left += 1;
    const outcome = found ? `found by seed ${found.seed}` : `NOT FOUND in ${seedsMax} seeds`;
    print(`${one}: ${outcome}\n  it ${bug.does}\n  rule: ${rules[bug.breaks]}`);
    if (found !== undefined) print(`  ${found.sentence}`);
  }
  print(`${wanted.length - left} of ${wanted.length} bugs found.`);
  return left > 0 ? 1 : 0;
}

async function hunt({ edits, breaks }: Bug) {
  const bundles = loadBundles(await bundleVersions(edits));
  for (let seed = 1; seed <= seedsMax; seed += 1) {
    const { violations } = await judgeSeed(seed, bundles);
    const found = violations.find(({ rule }) => rule === breaks);
    if (found !== undefined) return { seed, sentence: found.sentence };
  }
  return undefined;
}
