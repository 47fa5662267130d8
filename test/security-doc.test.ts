import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../docs');
const page = readFileSync(join(docs, 'security.md'), 'utf8');

interface Proof {
  readonly file: string;
  readonly title: string;
}

/** Every `[label](file): title, title` of a table's last cell; a semicolon parts one file from the next. */
const proofs: readonly Proof[] = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && /\]\(\.\.\/test\/[^)]+\.ts\): `/.test(line))
  .flatMap((line) => (line.split(' | ').at(-1) ?? '').split(/; (?=\[)/))
  .flatMap((proof) => {
    const file = /\]\(([^)]+)\)/.exec(proof)?.[1] ?? '';
    return [...proof.matchAll(/`([^`]+)`/g)].map(([, title = '']) => ({ file, title }));
  });

/** The rows of the table of threats, by the number of the boundary and the letter. */
const threats = page.split('\n').flatMap((line) => /^\| (\d) \| ([STRIDE]) \| /.exec(line) ?? []);

/** The ways to write a title in a test's source. */
const quoted = (title: string): string[] => [`'${title}'`, `"${title}"`, `\`${title}\``];

describe('the page about security', () => {
  it('names a proof for every threat', () => {
    const rows = page.split('\n').filter((line) => /^\| \d \| [STRIDE] \| /.test(line));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((line) => !/\.test\.ts\): `[^`]+`.* \|$/.test(line))).toEqual([]);
  });

  it('looks at every boundary of its diagram and every letter of STRIDE', () => {
    const boundaries = [...new Set(threats.filter((part) => /^\d$/.test(part)))];
    expect(boundaries.sort().join('')).toBe('123456789');
    expect([...new Set(threats.filter((part) => /^[A-Z]$/.test(part)))].sort().join('')).toBe('DEIRST');
  });

  it('names tests that are there, as they stand in their files', () => {
    expect(proofs.length).toBeGreaterThan(50);
    const missing = proofs.filter(({ file, title }) => {
      const path = join(docs, file);
      if (!existsSync(path)) return true;
      const source = readFileSync(path, 'utf8');
      return !quoted(title).some((one) => source.includes(one));
    });
    expect(missing).toEqual([]);
  });
});
