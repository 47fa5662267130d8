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

const mutant = (
  status: MutantResult['status'],
  replacement: string,
  statusReason?: string,
): MutantResult => ({
  ...{ id: replacement, fileName, mutatorName: 'EqualityOperator', replacement, status },
  location: { start: { line: 2, column: 8 }, end: { line: 3, column: 4 } },
  ...(statusReason !== undefined && { statusReason }),
});

const place = { file, around: 'return …;', code: 'a > b' };

it('the score counts what tests noticed, and leaves out explained mutants and ignored ones', () => {
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const endless = mutant('Timeout', '2', 'Hit limit reached (1603/1600)');
  const results = [
    ...[mutant('Killed', '1'), endless, mutant('Killed', '3')],
    ...[mutant('Survived', 'a  >=\nb'), mutant('NoCoverage', 'a < b'), mutant('Survived', 'true')],
    ...[mutant('RuntimeError', '6', 'out of memory'), mutant('Timeout', '7'), mutant('Ignored', '8')],
  ];
  const known = [
    { ...place, mutant: 'a >= b', reason: 'never equal' },
    { ...place, mutant: 'a < b' },
  ];
  const score = scoreOf(results, known);
  const missed = [
    { ...place, line: 2, mutant: 'a < b' },
    { ...place, line: 2, mutant: 'true' },
    { ...place, line: 2, mutant: '6', undecided: 'The test runner failed: out of memory' },
    { ...place, line: 2, mutant: '7', undecided: 'The time was over, and no loop was counted.' },
  ];
  expect(score).toMatchObject({ mutants: 8, noticed: 3, missed });
  expect(score.survivors).toHaveLength(5);
  expect(percentOf(score)).toBeCloseTo((3 / 7) * 100);
  expect(percentOf({ noticed: 0, missed: [] })).toBe(100);
  // A slow machine, and one without memory, fail no share.
  expect(score.unknown).toEqual([missed[1]]);
});

it('a share has the same files for the same seed, of one stage, and others for other seeds', () => {
  const seeds = Array.from({ length: 30 }, (_, n) => `seed ${n}`);
  const shares = seeds.map(shareOf);
  expect(seeds.map(shareOf)).toEqual(shares);
  expect(new Set(shares.map(({ files }) => files.join(' '))).size).toBeGreaterThan(10);
  expect(new Set(shares.map(({ stage }) => stage)).size).toBeGreaterThan(1);
  for (const { files } of shares) expect(files.join(' ')).toMatch(/^((lambdas|packages)[^ ]+\.ts ?)+$/);
});
