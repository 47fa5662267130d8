import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

const folder = join('tools', 'drill', 'drills');
const written = readdirSync(join(root, folder)).flatMap((file) =>
  [...read(folder, file).matchAll(/name: '(.+)',\s+fault: '(.+)',\s+alarm: '(\w+)'/g)].map(
    ([, ...cells]) => cells,
  ),
);

describe('the drills', () => {
  it('are all in their README, with their faults and alarms', () => {
    const rows = [...read('tools', 'drill', 'README.md').matchAll(/^\| `(.+)` \| (.+) \| \[`(\w+)`\]/gm)];
    expect(rows.map(([, ...cells]) => cells).toSorted()).toEqual(written.toSorted());
  });
});
