import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';

/** A mutant that no test notices, named by its texts: line numbers change with every edit. */
export interface Survivor {
  readonly file: string;
  /** The lines of the code, with `…` in its place. */
  readonly around: string;
  /** Which of the places that have these lines, from 2. */
  readonly nth?: number;
  readonly code: string;
  /** What stands in place of the code. */
  readonly mutant: string;
  /** Why no test can notice it: it does what the code does. Absent while a test is missing. */
  readonly reason?: string;
}

export interface Found extends Survivor {
  readonly line: number;
  /** Why the run did not show whether a test notices it. */
  readonly undecided?: string;
}

const fileOf = (stage: string): string => join(import.meta.dirname, `survivors/${stage}.json`);

/** Whether the survivors of a stage are known: they were written, even if there are none. */
export const isMeasured = (stage: string): boolean => existsSync(fileOf(stage));

/** The known survivors of a stage. */
export function knownSurvivors(stage: string): readonly Survivor[] {
  return isMeasured(stage) ? distinct(JSON.parse(readFileSync(fileOf(stage), 'utf8'))) : [];
}

/** Those that were found in the chosen files become the known ones of these files. */
export function writeSurvivors(
  stage: string,
  found: readonly Found[],
  isChosen: (file: string) => boolean,
): void {
  const survivors = mergedSurvivors(knownSurvivors(stage), found, isChosen);
  writeFileSync(fileOf(stage), `${JSON.stringify(survivors, null, 2)}\n`);
}

/** With the reasons that are known, and the known survivors of other files. */
export function mergedSurvivors(
  known: readonly Survivor[],
  found: readonly Found[],
  isChosen: (file: string) => boolean,
): readonly Survivor[] {
  const withReason = ({ line: _, undecided: __, ...one }: Found): Survivor =>
    known.find((other) => isSame(one, other)) ?? one;
  const survivors = [...found.map(withReason), ...known.filter(({ file }) => !isChosen(file))];
  return distinct(survivors.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)));
}

const nameOf = ({ file, around, nth = 1, code, mutant }: Survivor): string =>
  JSON.stringify([file, code, mutant, around, nth]);

export const isSame = (a: Survivor, b: Survivor): boolean => nameOf(a) === nameOf(b);

/** One reason must not explain two mutants. */
export function distinct(survivors: readonly Survivor[]): readonly Survivor[] {
  const double = survivors.find((one, index) => survivors.findIndex((other) => isSame(one, other)) < index);
  if (double === undefined) return survivors;
  throw new Error(`Two survivors have the same name; expected one of each: ${nameOf(double)}`);
}

/** The names of `mutant`, and its line for people. */
export function survivorOf({ fileName, location, replacement = '' }: MutantResult): Found {
  const { start, end } = location;
  const all = readFileSync(fileName, 'utf8').split('\n');
  const textFrom = (index: number): string =>
    oneLine(all.slice(index, index + end.line - start.line + 1).join('\n'));
  const text = textFrom(start.line - 1);
  const nth = all.slice(0, start.line).filter((_, index) => textFrom(index) === text).length;
  const lines = all.slice(start.line - 1, end.line);
  const before = lines[0]?.slice(0, start.column - 1);
  const after = lines.at(-1)?.slice(end.column - 1);
  const cut = lines.map((line, index) =>
    line.slice(index === 0 ? start.column - 1 : 0, index === lines.length - 1 ? end.column - 1 : undefined),
  );
  return {
    ...{ file: relative(process.cwd(), fileName), line: start.line, around: oneLine(`${before}…${after}`) },
    ...(nth > 1 && { nth }),
    ...{ code: oneLine(cut.join('\n')), mutant: oneLine(replacement) },
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
