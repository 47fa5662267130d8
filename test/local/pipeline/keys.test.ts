import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { generatedKeys } from '../../../local/pipeline/keys.ts';

describe('generated keys', () => {
  it('have the form of live and sandbox keys, and differ between two starts in memory', async () => {
    const [first, second] = [await generatedKeys(undefined), await generatedKeys(undefined)];
    expect(first.live).toMatch(/^pri_[0-9a-f]{48}$/);
    expect(first.sandbox).toMatch(/^pri_sandbox_[0-9a-f]{48}$/);
    expect(second).not.toEqual(first);
  });

  it('stay the same in a data directory, in a file that only its owner can read', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const first = await generatedKeys(directory);
    expect(await generatedKeys(directory)).toEqual(first);
    expect((await stat(join(directory, 'keys.json'))).mode & 0o777).toBe(0o600);
  });
});
