import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mutate } from '../mutate.ts';
import { survivorOf } from '../survivor.ts';

/** What became of each change of code of the sample. */
async function outcomes(code = 'sample.ts'): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-mutation-'));
  // It names the tests to the processes that run them.
  vi.stubEnv('MUTATION_TESTS', undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const results = await mutate({
    mutate: [`tools/mutation/sample/${code}`],
    tests: ['tools/mutation/sample/sample-tests.ts'],
    resultsFile: join(folder, 'results.json'),
  });
  return results.map((one) => {
    const { code, mutant } = survivorOf(one);
    return `${one.status}: ${code} → ${mutant}`;
  });
}

const isMissed = (outcome: string): boolean => !/^(Killed|Timeout):/.test(outcome);

it('mutation tests notice changes of running and of loading code, and endless loops, and no others', async () => {
  const found = await outcomes('sample.ts:1-16');
  expect(found).toContain(`Killed: 'EUR' → ""`);
  expect(found).toContain('Killed: amount > 100 → amount <= 100');
  expect(found).toContain('Timeout: n += 1 → n -= 1');
  expect(found.filter(isMissed)).toEqual(['Survived: amount > 100 → amount >= 100']);
});

it('mutation tests leave the words of sentences alone, and nothing else of them', async () => {
  const found = await outcomes('sample.ts:18-23');
  const isIgnored = (outcome: string): boolean => outcome.startsWith('Ignored:');
  expect(found.filter(isIgnored)).toEqual([`Ignored: 'A small sum, of little use.' → ""`]);
  // The object, the function, its text with an amount, and the unit.
  expect(found.filter((outcome) => !isIgnored(outcome))).toHaveLength(4);
});

it('mutation tests change the texts that a sentence is chosen by', async () => {
  const found = await outcomes('sample.ts:25-33');
  const isOfText = (outcome: string): boolean => / '.*' → ""$/.test(outcome);
  expect(found.filter(isOfText).sort()).toEqual([
    `Ignored: 'It fills ' → ""`,
    `Ignored: 'Nobody sees it.' → ""`,
    `Ignored: 'the whole room.' → ""`,
    `NoCoverage: 'very large' → ""`,
    `NoCoverage: 'very small' → ""`,
  ]);
});

it('mutation tests notice changes of code that runs nothing while it loads', async () => {
  const found = await outcomes('sample.ts:9-13');
  expect(found).toContain('Killed: sum += n → sum -= n');
  expect(found.filter(isMissed)).toEqual([]);
});

it('mutation tests notice changes of code that a test loads while it runs', async () => {
  const found = await outcomes('late.ts');
  expect(found).toContain(`Killed: ' late' → ""`);
  expect(found.filter(isMissed)).toEqual([]);
});
