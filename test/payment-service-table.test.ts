import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../docs');
const table = readFileSync(join(docs, 'payment-service.md'), 'utf8');

interface Row {
  readonly section: string;
  readonly code: readonly string[];
  readonly testFile: string;
  readonly testTitles: readonly string[];
}

const linksIn = (cell: string): string[] =>
  [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path ?? '');

function rowOf(line: string): Row {
  const [, section = '', , code = '', test = ''] = line.split('|').map((cell) => cell.trim());
  const [testFile = ''] = linksIn(test);
  const testTitles = [...test.matchAll(/`([^`]+)`/g)].map(([, title]) => title ?? '');
  return { section, code: linksIn(code), testFile, testTitles };
}

const rows = table
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map(rowOf);

describe("the table of the payment service's API", () => {
  it('has a row for every section of 2 to 8', () => {
    const sections = '2.1 2.2 2.3 2.4 2.5 3 4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 5.1 5.2 5.3 6 7 8';
    expect([...new Set(rows.map(({ section }) => section))].join(' ')).toBe(sections);
  });

  it('names code that is there', () => {
    expect(rows.filter(({ code }) => code.length === 0)).toEqual([]);
    const missing = rows.flatMap(({ code }) => code.filter((path) => !existsSync(join(docs, path))));
    expect(missing).toEqual([]);
  });

  it('names tests as they stand in their files', () => {
    for (const { section, testFile, testTitles } of rows) {
      const source = readFileSync(join(docs, testFile), 'utf8');
      expect(testTitles.length, `${section} ${testFile}`).toBeGreaterThan(0);
      for (const title of testTitles) expect(source, section).toContain(title);
    }
  });
});
