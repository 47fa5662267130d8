import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules, type Violation } from '../checker/violation.ts';
import { judgeSeed } from '../command/pool.ts';
import { bundleStages, loadBundles } from '../lambda/bundles.ts';
import { formerCode } from '../lambda/former-code.ts';
import { type Bug, bugPlugin } from './bug.ts';
import { bugs } from './bugs.ts';

/** How many seeds may pass before a bug is found: a simulation that needs more is too weak. */
export const seedsMax = 200;

const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'reliability.md');
const head =
  '| bug | what the code then does | found by seed | the rule that it breaks |\n|---|---|---|---|\n';

export interface BugOptions {
  /** One bug; all when omitted. */
  readonly name?: string | undefined;
  /** Whether the table in the document is written anew, each bug searched from seed 1. */
  readonly isWritten: boolean;
  readonly print: (line: string) => void;
}

/** What became of the search for one bug. */
interface Hunt {
  readonly bug: Bug;
  /** The seeds that were run. */
  readonly seeds: number;
  /** The first seed that found it, and the first rule that it broke; `undefined` when none did. */
  readonly found: { readonly seed: number; readonly violation: Violation } | undefined;
}

/** Looks for each bug until a seed finds it; returns the exit code. */
export async function huntBugs({ name, isWritten, print }: BugOptions): Promise<number> {
  const document = readFileSync(path, 'utf8');
  const known = isWritten ? new Map<string, number>() : knownSeeds(document);
  const hunts: Hunt[] = [];
  for (const bug of bugs.filter((one) => name === undefined || one.name === name)) {
    const done = await hunt(bug, known.get(bug.name));
    hunts.push(done);
    for (const line of linesOf(done)) print(line);
  }
  const renewed = name === undefined ? withTable(document, hunts) : document;
  if (isWritten) writeFileSync(path, renewed);
  // Another seed finds a bug after most changes of the code: the table only makes the search short.
  if (!isWritten && renewed !== document)
    print('Other seeds than in docs/reliability.md; run with --bugs --write to renew its table.');
  const left = hunts.filter(({ found }) => found === undefined);
  print(`${hunts.length - left.length} of ${hunts.length} bugs found.`);
  return left.length > 0 ? 1 : 0;
}

/** `known` is a seed that found the bug before: it comes first, so that a repetition takes one run. */
async function hunt(bug: Bug, known?: number): Promise<Hunt> {
  const plugins = [bugPlugin(bug)];
  const today = await bundleStages({ plugins });
  const bundles = loadBundles({ today, former: await formerCode(today, { plugins }) });
  const inOrder = Array.from({ length: seedsMax }, (_, index) => index + 1);
  const all = known === undefined ? inOrder : [known, ...inOrder.filter((seed) => seed !== known)];
  for (const [index, seed] of all.entries()) {
    const [violation] = (await judgeSeed(seed, bundles)).violations;
    if (violation !== undefined) return { bug, seeds: index + 1, found: { seed, violation } };
  }
  return { bug, seeds: all.length, found: undefined };
}

function linesOf({ bug: { name, does }, seeds, found }: Hunt): readonly string[] {
  if (found === undefined) return [`${name}: NOT FOUND in ${seedsMax} seeds`, `  it ${does}`];
  const { seed, violation } = found;
  return [
    `${name}: found by seed ${seed}, after ${seeds} of them`,
    `  it ${does}`,
    `  ${violation.sentence}`,
  ];
}

/** The document with this table of bugs in the place of its own. */
function withTable(document: string, hunts: readonly Hunt[]): string {
  const start = document.indexOf(head);
  if (start === -1) throw new Error('docs/reliability.md has no table of bugs.');
  const rows = hunts.map(({ bug: { name, does }, found }) => {
    const rule = found === undefined ? 'none' : rules[found.violation.rule];
    return `| \`${name}\` | ${does} | ${found?.seed ?? '–'} | ${rule} |\n`;
  });
  return (
    document.slice(0, start) + head + rows.join('') + document.slice(document.indexOf('\n\n', start) + 1)
  );
}

/** By bug, the seed that found it, as the document has it. */
export const knownSeeds = (document: string): ReadonlyMap<string, number> =>
  new Map(
    [...document.matchAll(/^\| `([\w-]+)` \|.*\| (\d+) \| [^|]* \|$/gm)].map(([, name = '', seed]) => [
      name,
      Number(seed),
    ]),
  );
