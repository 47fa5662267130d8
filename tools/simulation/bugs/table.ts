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

/** The seed that found each bug when the table was written. */
export const knownSeeds = (document: string): ReadonlyMap<string, number> =>
  new Map(
    [...document.matchAll(/^\| `([\w-]+)` \|.*\| (\d+) \|[^|]*\|$/gm)].map(([, name = '', seed]) => [
      name,
      Number(seed),
    ]),
  );

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
