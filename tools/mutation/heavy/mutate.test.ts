import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mutate } from '../mutate.ts';
import { survivorOf } from '../survivor.ts';

it('mutation tests notice changes of running and of loading code, and endless loops, and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-mutation-'));
  // It names the tests to the processes that run them.
  vi.stubEnv('MUTATION_TESTS', undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const results = await mutate({
    mutate: ['tools/mutation/sample/sample.ts'],
    tests: ['tools/mutation/sample/sample-tests.ts'],
    resultsFile: join(folder, 'results.json'),
  });
  const found = results.map((one) => {
    const { code, mutant } = survivorOf(one);
    return `${one.status}: ${code} → ${mutant}`;
  });
  expect(found).toContain(`Killed: 'EUR' → ""`);
  expect(found).toContain('Killed: amount > 100 → amount <= 100');
  expect(found).toContain('Timeout: n += 1 → n -= 1');
  expect(found.filter((one) => !/^(Killed|Timeout):/.test(one))).toEqual([
    'Survived: amount > 100 → amount >= 100',
  ]);
});
