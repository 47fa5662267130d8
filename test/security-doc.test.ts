import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../docs');
const page = readFileSync(join(docs, 'security.md'), 'utf8');

/** The rows of the table of threats; the last cell links to the tests. */
const threats = page
  .split('\n')
  .filter((line) => /^\| \d \| [STRIDE] \| /.test(line))
  .map((line) => {
    const [, boundary, letter, threat, , tests = ''] = line.split('|').map((cell) => cell.trim());
    const links = [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    return { boundary, letter, threat, links };
  });

describe('docs/security.md', () => {
  it('lists threats for every boundary of its diagram and every letter of STRIDE', () => {
    expect(threats.length).toBeGreaterThanOrEqual(42);
    expect([...new Set(threats.map(({ boundary }) => boundary))].sort().join('')).toBe('123456789');
    expect([...new Set(threats.map(({ letter }) => letter))].sort().join('')).toBe('DEIRST');
  });

  it('links every threat to test files that exist', () => {
    const isTest = (path: string): boolean => path.endsWith('.test.ts') && existsSync(join(docs, path));
    expect(threats.filter(({ links }) => links.length === 0 || !links.every(isTest))).toEqual([]);
  });
});
