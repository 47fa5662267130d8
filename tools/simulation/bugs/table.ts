import { rules } from '../checker/violation.ts';
import type { Bug } from './bug.ts';
import type { Hunt } from './hunt.ts';

const heading = '## Deliberate bugs';
const head = [
  '| bug | what the code then does | found by seed | the rule that it breaks |',
  '|---|---|---|---|',
];

/** The rows of the table in docs/reliability.md. */
const bugTable = (hunts: readonly Hunt[]): readonly string[] => [
  ...head,
  ...hunts.map(({ bug: { name, does }, found }) => {
    const rule = found === undefined ? 'none' : rules[found.violation.rule];
    return `| \`${name}\` | ${does} | ${found?.seed ?? '–'} | ${rule} |`;
  }),
];

/** What the table shows of a bug: the seed that found it, and the rule that it broke. */
export interface Known {
  readonly seed: number;
  readonly rule: string;
}

export const knownBugs = (document: string): ReadonlyMap<string, Known> =>
  new Map(
    [...document.matchAll(/^\| `([\w-]+)` \|.*\| (\d+) \| ([^|]*) \|$/gm)].map(
      ([, name = '', seed, rule = '']) => [name, { seed: Number(seed), rule }],
    ),
  );

/** What the table shows wrongly of bugs that were found; empty when it shows what they do. */
export const outdated = (document: string, hunts: readonly Hunt[]): readonly string[] =>
  hunts.flatMap(({ bug: { name }, found }) => {
    const known = knownBugs(document).get(name);
    if (known === undefined || found === undefined) return [];
    const { seed, violation } = found;
    if (known.seed !== seed)
      return `The table shows that seed ${known.seed} finds ${name}, and seed ${seed} does.`;
    const rule = rules[violation.rule];
    return known.rule === rule
      ? []
      : `The table shows that ${name} breaks "${known.rule}"; it breaks "${rule}".`;
  });

/** The document with the table of today in its section. */
export function withTable(document: string, hunts: readonly Hunt[]): string {
  const start = document.indexOf(head[0] ?? '', document.indexOf(heading));
  if (start === -1) throw new Error(`docs/reliability.md has no table of bugs under "${heading}".`);
  const end = document.indexOf('\n\n', start);
  return document.slice(0, start) + bugTable(hunts).join('\n') + document.slice(end === -1 ? undefined : end);
}

/** Bugs whose row is missing or describes another bug. */
export const undocumented = (document: string, bugs: readonly Bug[]): readonly string[] =>
  bugs.filter(({ name, does }) => !document.includes(`| \`${name}\` | ${does} |`)).map(({ name }) => name);
