import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleBytes, stages, tables } from './tables.ts';

const root = join(import.meta.dirname, '..', '..');
const document = readFileSync(join(root, 'docs', 'performance.md'), 'utf8');

describe('docs/performance.md', () => {
  it('names a command for every table of the benchmark, and no other', () => {
    const named = [...document.matchAll(/`npm run benchmark -- ([\w-]+)`/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(Object.keys(tables).toSorted());
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts.benchmark).toContain('tools/baseline/benchmark.ts');
  });

  it('has the size of every bundle, within 5 %', async () => {
    const rows = [...document.matchAll(/^\| ([\w-]+) \| (\d{5,}) \| \d+ \|$/gm)];
    expect(rows.map(([, stage]) => stage)).toEqual(stages);
    const sizes = await bundleBytes();
    for (const [index, [, stage, bytes]] of rows.entries()) {
      const change = (sizes[index] ?? 0) / Number(bytes);
      expect(Math.abs(change - 1), `the bundle of ${stage}`).toBeLessThan(0.05);
    }
  });
});
