import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTestSeed } from '../setup/test-seed.ts';

const root = join(import.meta.dirname, '../..');

describe('the seed of the tests', () => {
  it('is the same number unless PAYHOOKS_TEST_SEED names another', () => {
    expect([readTestSeed(undefined), readTestSeed('7'), readTestSeed('2147483647')]).toEqual([
      1, 7, 2147483647,
    ]);
  });

  it('is a new number for each "random"', () => {
    const seeds = Array.from({ length: 20 }, () => readTestSeed('random'));
    expect(new Set(seeds).size).toBeGreaterThan(1);
    expect(seeds.map((seed) => readTestSeed(`${seed}`))).toEqual(seeds);
  });

  it.each(['', 'seven', '-1', '1.5', '2147483648'])('cannot be "%s"', (given) => {
    expect(() => readTestSeed(given)).toThrow(
      `PAYHOOKS_TEST_SEED is "${given}", but must be a whole number below 2147483648, or random.`,
    );
  });

  it('gives a property its values, and is in the message of one that fails', () => {
    const seed = readTestSeed(process.env['PAYHOOKS_TEST_SEED']);
    const values = () => fc.sample(fc.nat(), { numRuns: 5, seed });
    expect(fc.sample(fc.nat(), 5)).toEqual(values());
    const never = fc.property(fc.nat(), () => false);
    expect(() => fc.assert(never)).toThrow(`{ seed: ${seed}, path: "0`);
  });

  it('reaches every file with a property: all are in the project that sets it', () => {
    const found = execFileSync('git', ['grep', '-l', '--untracked', "from 'fast-check'", '--', '*.ts'], {
      cwd: root,
    });
    const elsewhere = /(^|\/)(test\/(lib|bin)|local|heavy|browser|deploy)\/|^packages\/cdk-local\//;
    const files = found.toString().trim().split('\n');
    expect(files).toContain('test/repository/test-seed.test.ts');
    expect(files.filter((file) => elsewhere.test(file))).toEqual([]);
  });
});
