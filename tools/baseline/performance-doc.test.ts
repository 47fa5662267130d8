import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundleBytes, stages } from './bundles.ts';

it('docs/performance.md has the size of every bundle, within 5 %', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8');
  const rows = [...document.matchAll(/^\| ([\w-]+) \| (\d{5,}) \| \d+ \|$/gm)];
  expect(rows.map(([, stage]) => stage)).toEqual(stages);
  const sizes = await bundleBytes();
  for (const [index, [, stage, bytes]] of rows.entries()) {
    const change = (sizes[index] ?? 0) / Number(bytes);
    expect(Math.abs(change - 1), `the bundle of ${stage}`).toBeLessThan(0.05);
  }
});
