import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../../docs');
const read = (name: string): string => readFileSync(join(docs, name), 'utf8');
const linksOf = (text: string): string[] => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
const isTest = (path: string): boolean => path.endsWith('.test.ts') && existsSync(join(docs, path));

/** The threats of each boundary; after the defence, links lead to the tests. */
const threats = read('threat-model.md')
  .split(/^##+ /m)
  .flatMap((section) => {
    const [boundary = ''] = /^\d(?=\. )/.exec(section) ?? [];
    const [, ...items] = boundary === '' ? [] : section.split('\n- ');
    return items.map((threat) => ({
      boundary,
      category: /^\*\*(\w+)\.\*\* /.exec(threat)?.[1],
      threat,
      links: linksOf(threat.slice(threat.lastIndexOf(' (['))),
    }));
  });

describe('docs/threat-model.md', () => {
  it('lists threats for every boundary of its diagram and every category of STRIDE', () => {
    expect(threats.length).toBeGreaterThanOrEqual(40);
    expect([...new Set(threats.map(({ boundary }) => boundary))].sort().join('')).toBe('123456789');
    expect([...new Set(threats.map(({ category }) => category))].sort().join(' ')).toBe(
      'Denial Disclosure Elevation Repudiation Spoofing Tampering',
    );
  });

  it('links every threat to test files that exist', () => {
    expect(threats.filter(({ links }) => links.length === 0 || !links.every(isTest))).toEqual([]);
  });
});

it('docs/security.md has a proof for every answer, most often a test', () => {
  const proofs = read('security.md').split('\n- ').slice(1).map(linksOf);
  expect(proofs.length).toBeGreaterThan(25);
  expect(proofs.filter((links) => links.length === 0)).toEqual([]);
  expect(proofs.filter((links) => links.some(isTest)).length).toBeGreaterThan(proofs.length * 0.75);
});

describe('docs/payment-service.md', () => {
  const [, ...rules] = read('payment-service.md').split('\n- ');
  const rows = rules.map((rule) => ({
    rule,
    section: /^\*\*([\d.]+)\*\*/.exec(rule)?.[1],
    links: linksOf(rule),
  }));

  it('has a rule for every section from 2 to 8 of the API document', () => {
    const sections = '2.1 2.2 2.3 2.4 2.5 3 4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 5.1 5.2 5.3 6 7 8';
    expect([...new Set(rows.map(({ section }) => section))].join(' ')).toBe(sections);
  });

  it('links every rule to code and to tests', () => {
    for (const { rule, links } of rows)
      expect([links.some((path) => !isTest(path)), links.some(isTest)], rule).toEqual([true, true]);
  });
});
