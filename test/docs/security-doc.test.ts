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
    expect(threats.length).toBeGreaterThanOrEqual(48);
    expect([...new Set(threats.map(({ boundary }) => boundary))].sort().join('')).toBe('123456789');
    expect([...new Set(threats.map(({ letter }) => letter))].sort().join('')).toBe('DEIRST');
  });

  it('links every threat to test files that exist', () => {
    expect(threats.filter(({ links }) => links.length === 0 || !links.every(isTest))).toEqual([]);
  });
});

interface Answer {
  readonly part: string;
  readonly question: string;
  readonly answer: string;
  readonly links: readonly string[];
}

const questionnaire = read('security.md');
const answers = questionnaire
  .split(/^## /m)
  .slice(1)
  .flatMap((part) =>
    [...part.matchAll(/^\| ([^|]+\?) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
      ([, question = '', answer = '', proof = '']): Answer => ({
        part: part.split('\n')[0] ?? '',
        question,
        answer,
        links: linksOf(proof),
      }),
    ),
  );

describe('docs/security.md', () => {
  it.each([
    ['encryption', /encryption/i],
    ['access', /^access/i],
    ['an audit trail', /audit trail/i],
    ['recovery', /recovery/i],
    ['availability', /availability/i],
    ['monitoring', /monitoring/i],
    ['incident response', /incident response/i],
    ['a data inventory', /data inventory/i],
    ['personal data', /personal data/i],
    ['change control', /change control/i],
    ['the supply chain', /supply chain/i],
  ])('has a part about %s with at least three answers', (_, title) => {
    expect(answers.filter(({ part }) => title.test(part)).length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['customer-managed keys', /customer-managed key/],
    ['key rotation', /rotated/],
    ['secrets in logs', /logs hold secrets/i],
    ['least privilege', /least privilege/i],
    ['privileged access', /privileged access/i],
    ['segregation of duties', /segregation of duties/i],
    ['environments and tenants', /environments and tenants/i],
    ['the network and a firewall', /firewall/i],
    ['RPO and RTO', /RPO and RTO/],
    ['retention and erasure', /erased/],
    ['residency', /^Where is it/],
    ['capacity', /capacity/i],
    ['the heartbeat', /HeartbeatMissing/],
    ['vulnerabilities', /^Vulnerabilities/],
    ['third parties', /third parties/i],
    ['rolling back', /rolls back/],
  ])('has an answer about %s', (_, pattern) => {
    expect(
      answers.filter(({ question, answer }) => pattern.test(question) || pattern.test(answer)),
    ).not.toEqual([]);
  });

  it('has no row that is not an answer with its proof', () => {
    const rows = questionnaire.split('\n').filter((line) => /^\| (?!question )/.test(line));
    expect(rows.filter((row) => !row.startsWith('|---')).length).toBe(answers.length);
    expect(answers.length).toBeGreaterThan(25);
  });

  it('gives each answer in at most three sentences', () => {
    const sentences = (text: string): number => text.match(/[.:;](?= |$)/g)?.length ?? 0;
    expect(answers.filter(({ answer }) => sentences(answer) > 4)).toEqual([]);
  });

  it('links each answer to its proof', () => {
    expect(answers.filter(({ links }) => links.length === 0)).toEqual([]);
  });

  it('links most answers to a test', () => {
    const shown = answers.filter(({ links }) => links.some(isTest));
    expect(shown.length).toBeGreaterThan(answers.length * 0.75);
  });
});
