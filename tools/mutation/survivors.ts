import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';

/** A mutant that no test notices, named by its texts: line numbers change with every edit. */
export interface Survivor {
  readonly file: string;
  readonly code: string;
  /** What stands in place of the code. */
  readonly mutant: string;
}

/** A mutant that no test can notice, because it does what the code does. */
export interface Equivalent extends Survivor {
  readonly reason: string;
}

/** Those of one stage, from `equivalent/STAGE.json`. */
export function equivalentMutants(stage: string): readonly Equivalent[] {
  const file = join(import.meta.dirname, `equivalent/${stage}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Equivalent[]) : [];
}

export const isSame = (a: Survivor, b: Survivor): boolean =>
  a.file === b.file && a.code === b.code && a.mutant === b.mutant;

/** The names of `mutant`, and its line for people. */
export function survivorOf({ fileName, location, replacement = '' }: MutantResult): Survivor & {
  readonly line: number;
} {
  const { start, end } = location;
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const cut = lines.map((line, index) =>
    line.slice(index === 0 ? start.column - 1 : 0, index === lines.length - 1 ? end.column - 1 : undefined),
  );
  const file = fileName.replace(`${process.cwd()}/`, '');
  return { file, line: start.line, code: oneLine(cut.join('\n')), mutant: oneLine(replacement) };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
