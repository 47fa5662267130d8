import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../../docs');
const read = (name: string): string => readFileSync(join(docs, name), 'utf8');
const linksOf = (text: string): string[] => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
const isTest = (path: string): boolean => path.endsWith('.test.ts') && existsSync(join(docs, path));

/** The rows of the table of threats; the last cell links to the tests. */
const threats = read('threat-model.md')
  .split('\n')
  .filter((line) => /^\| \d \| [STRIDE] \| /.test(line))
  .map((line) => {
    const [, boundary, letter, threat, , tests = ''] = line.split('|').map((cell) => cell.trim());
    return { boundary, letter, threat, links: linksOf(tests) };
  });

describe('docs/threat-model.md', () => {
  it('lists threats for every boundary of its diagram and every letter of STRIDE', () => {
    expect(threats.length).toBeGreaterThanOrEqual(40);
    expect([...new Set(threats.map(({ boundary }) => boundary))].sort().join('')).toBe('123456789');
    expect([...new Set(threats.map(({ letter }) => letter))].sort().join('')).toBe('DEIRST');
  });

  it('links every threat to test files that exist', () => {
    expect(threats.filter(({ links }) => links.length === 0 || !links.every(isTest))).toEqual([]);
  });
});

it('docs/security.md has a proof in every row, most often a test', () => {
  const rows = [...read('security.md').matchAll(/^\| (?!question |-).*\|(.*)\|$/gm)];
  const proofs = rows.map(([, proof = '']) => linksOf(proof));
  expect(rows.length).toBeGreaterThan(25);
  expect(proofs.filter((links) => links.length === 0)).toEqual([]);
  expect(proofs.filter((links) => links.some(isTest)).length).toBeGreaterThan(rows.length * 0.75);
});

describe('docs/payment-service.md', () => {
  const rows = read('payment-service.md')
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('has a row for every section from 2 to 8 of the API document', () => {
    const sections = '2.1 2.2 2.3 2.4 2.5 3 4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 5.1 5.2 5.3 6 7 8';
    expect([...new Set(rows.map(([, section]) => section))].join(' ')).toBe(sections);
  });

  it('links every rule to code and to test files that exist', () => {
    for (const [, , rule, code = '', tests = ''] of rows) {
      expect([linksOf(code).length, linksOf(tests).length], rule).not.toContain(0);
      expect(linksOf(code).filter((path) => !existsSync(join(docs, path)))).toEqual([]);
      expect(linksOf(tests).filter((path) => !isTest(path))).toEqual([]);
    }
  });
});
