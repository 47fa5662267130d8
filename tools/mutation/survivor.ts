import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';

/** A mutant that no test notices, named by its texts: line numbers change with every edit. */
export interface Survivor {
  readonly file: string;
  readonly code: string;
  /** What stands in place of the code. */
  readonly mutant: string;
  /** Why no test can notice it: it does what the code does. Absent while a test is missing. */
  readonly reason?: string;
}

export interface Found extends Survivor {
  readonly line: number;
}

const fileOf = (stage: string): string => join(import.meta.dirname, `survivors/${stage}.json`);

/** Whether the survivors of a stage are known: they were written, even if there are none. */
export const isMeasured = (stage: string): boolean => existsSync(fileOf(stage));

/** The known survivors of a stage. */
export function knownSurvivors(stage: string): readonly Survivor[] {
  return isMeasured(stage) ? (JSON.parse(readFileSync(fileOf(stage), 'utf8')) as readonly Survivor[]) : [];
}

/** Those that were found become the known ones, with the reasons that are known. */
export function writeSurvivors(stage: string, found: readonly Found[]): void {
  const known = knownSurvivors(stage);
  const survivors = found.map(({ line: _, ...one }) => known.find((other) => isSame(one, other)) ?? one);
  const sorted = survivors.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  writeFileSync(fileOf(stage), `${JSON.stringify(sorted, null, 2)}\n`);
}

const textOf = ({ file, code, mutant }: Survivor): string => JSON.stringify([file, code, mutant]);
export const isSame = (a: Survivor, b: Survivor): boolean => textOf(a) === textOf(b);

/** The names of `mutant`, and its line for people. */
export function survivorOf({ fileName, location, replacement = '' }: MutantResult): Found {
  const { start, end } = location;
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const cut = lines.map((line, index) =>
    line.slice(index === 0 ? start.column - 1 : 0, index === lines.length - 1 ? end.column - 1 : undefined),
  );
  const file = relative(process.cwd(), fileName);
  return { file, line: start.line, code: oneLine(cut.join('\n')), mutant: oneLine(replacement) };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
