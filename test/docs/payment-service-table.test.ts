import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'payment-service.md'), 'utf8');

const linksIn = (cell: string): string[] =>
  [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path ?? '');

const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, section = '', rule = '', code = '', tests = ''] = line.split('|').map((cell) => cell.trim());
    return { section, rule, code: linksIn(code), tests: linksIn(tests) };
  });
const isMissing = (path: string): boolean => !existsSync(join(docs, path));

describe('docs/payment-service.md', () => {
  it('has a row for every section from 2 to 8 of the API document', () => {
    const sections = '2.1 2.2 2.3 2.4 2.5 3 4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 5.1 5.2 5.3 6 7 8';
    expect([...new Set(rows.map(({ section }) => section))].join(' ')).toBe(sections);
  });

  it('links every rule to code that exists', () => {
    expect(rows.filter(({ code }) => code.length === 0)).toEqual([]);
    expect(rows.flatMap(({ code }) => code).filter(isMissing)).toEqual([]);
  });

  it('links every rule to test files that exist', () => {
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
    expect(rows.flatMap(({ tests }) => tests).filter((path) => !path.endsWith('.test.ts'))).toEqual([]);
    expect(rows.flatMap(({ tests }) => tests).filter(isMissing)).toEqual([]);
  });
});
