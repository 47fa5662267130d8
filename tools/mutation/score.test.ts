import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { expect, it, onTestFinished } from 'vitest';
import { percentOf, scoreOf } from './score.ts';
import { shareOf } from './share.ts';

const folder = mkdtempSync(join(tmpdir(), 'payhooks-score-'));
const fileName = join(folder, 'code.ts');
const file = relative(process.cwd(), fileName);
writeFileSync(fileName, 'const a = 1;\nreturn a >\n  b;\n');

const mutant = (status: MutantResult['status'], replacement: string): MutantResult => ({
  ...{ id: replacement, fileName, mutatorName: 'EqualityOperator', replacement, status },
  location: { start: { line: 2, column: 8 }, end: { line: 3, column: 4 } },
});

it('the score counts what tests noticed, and leaves out explained mutants and those that could not run', () => {
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const results = [
    ...[mutant('Killed', '1'), mutant('Timeout', '2'), mutant('Killed', '3')],
    ...[mutant('Survived', 'a  >=\nb'), mutant('NoCoverage', 'a < b'), mutant('Survived', 'true')],
    ...[mutant('RuntimeError', '6'), mutant('CompileError', '7'), mutant('Ignored', '8')],
  ];
  const known = [
    { file, code: 'a > b', mutant: 'a >= b', reason: 'never equal' },
    { file, code: 'a > b', mutant: 'a < b' },
  ];
  const score = scoreOf(results, known);
  const missed = [
    { file, line: 2, code: 'a > b', mutant: 'a < b' },
    { file, line: 2, code: 'a > b', mutant: 'true' },
  ];
  expect(score).toMatchObject({ mutants: 6, noticed: 3, missed, unknown: [missed[1]] });
  expect(score.survivors).toHaveLength(3);
  expect(percentOf(score)).toBe(60);
  expect(percentOf({ noticed: 0, missed: [] })).toBe(100);
});

it('a share has the same files for the same seed, of one stage, and others for other seeds', () => {
  const seeds = Array.from({ length: 30 }, (_, n) => `seed ${n}`);
  const shares = seeds.map(shareOf);
  expect(seeds.map(shareOf)).toEqual(shares);
  expect(new Set(shares.map(({ files }) => files.join(' '))).size).toBeGreaterThan(10);
  expect(new Set(shares.map(({ stage }) => stage)).size).toBeGreaterThan(1);
  for (const { files } of shares) expect(files.join(' ')).toMatch(/^((lambdas|packages)[^ ]+\.ts ?)+$/);
});
