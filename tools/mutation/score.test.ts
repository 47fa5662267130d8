import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { expect, it, onTestFinished } from 'vitest';
import { percentOf, scoreOf } from './score.ts';

const folder = mkdtempSync(join(tmpdir(), 'payhooks-score-'));
const fileName = join(folder, 'code.ts');
writeFileSync(fileName, 'const a = 1;\nreturn a >\n  b;\n');

const mutant = (status: MutantResult['status'], replacement: string): MutantResult => ({
  ...{ id: replacement, fileName, mutatorName: 'EqualityOperator', replacement, status },
  location: { start: { line: 2, column: 8 }, end: { line: 3, column: 4 } },
});

it('the score counts what tests noticed, and leaves out equivalent mutants and those that could not run', () => {
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const results = [
    ...[mutant('Killed', '1'), mutant('Timeout', '2'), mutant('Killed', '3')],
    ...[mutant('Survived', 'a  >=\nb'), mutant('NoCoverage', 'a < b')],
    ...[mutant('RuntimeError', '6'), mutant('CompileError', '7'), mutant('Ignored', '8')],
  ];
  const equivalent = { file: fileName, code: 'a > b', mutant: 'a >= b', reason: 'never equal' };
  const score = scoreOf(results, [equivalent]);
  expect(score).toEqual({
    mutants: 5,
    noticed: 3,
    equivalent: 1,
    missed: [{ file: fileName, line: 2, code: 'a > b', mutant: 'a < b' }],
  });
  expect(percentOf(score)).toBe(75);
  expect(percentOf({ mutants: 2, noticed: 0, equivalent: 2, missed: [] })).toBe(100);
});
