import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bugs } from './bugs.ts';
import { type Hunt, hunt, seedsMax } from './hunt.ts';
import { type Known, knownBugs, outdated, undocumented, withTable } from './table.ts';

const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'reliability.md');

export interface BugOptions {
  /** One bug; all when omitted. */
  readonly name?: string | undefined;
  /** Whether the table in the document is written anew, each bug searched from seed 1. */
  readonly isWritten: boolean;
  readonly print: (line: string) => void;
}

/** Looks for each bug until a seed finds it; returns the exit code. */
export async function huntBugs({ name, isWritten, print }: BugOptions): Promise<number> {
  const document = readFileSync(path, 'utf8');
  const known = isWritten ? new Map<string, Known>() : knownBugs(document);
  const hunts: Hunt[] = [];
  for (const bug of bugs.filter((one) => name === undefined || one.name === name)) {
    const done = await hunt(bug, known.get(bug.name)?.seed);
    hunts.push(done);
    for (const line of linesOf(done)) print(line);
  }
  if (isWritten) writeFileSync(path, withTable(document, hunts));
  const missing = name === undefined && !isWritten ? undocumented(document, bugs) : [];
  const wrong = [
    ...missing.map((one) => `The table does not describe ${one}.`),
    ...(isWritten ? [] : outdated(document, hunts)),
  ];
  for (const sentence of wrong) print(sentence);
  if (wrong.length > 0) print('The table is in docs/reliability.md; run with --bugs --write to renew it.');
  const left = hunts.filter(({ found }) => found === undefined);
  print(`${hunts.length - left.length} of ${hunts.length} bugs found.`);
  return left.length + wrong.length === 0 ? 0 : 1;
}

function linesOf({ bug: { name, does }, seeds, found }: Hunt): readonly string[] {
  if (found === undefined) return [`${name}: NOT FOUND in ${seedsMax} seeds`, `  it ${does}`];
  const { seed, violation } = found;
  const runs = seeds === 1 ? '1 run' : `${seeds} runs`;
  return [`${name}: found by seed ${seed}, after ${runs}`, `  it ${does}`, `  ${violation.sentence}`];
}
