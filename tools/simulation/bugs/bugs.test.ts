import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { rules } from '../checker/violation.ts';
import { bug, edit, withBug } from './bug.ts';
import { bugNames, bugs } from './bugs.ts';
import { knownSeeds } from './command.ts';

const sourceOf = (file: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', file), 'utf8');

describe('the deliberate bugs', () => {
  it('are at least twenty, each with a name of its own', () => {
    expect(bugs.length).toBeGreaterThanOrEqual(20);
    expect(new Set(bugNames).size).toBe(bugs.length);
  });

  it.each(bugs)('$name changes the sources of today, which still compile', (bug) => {
    for (const file of new Set(bug.edits.map((edit) => edit.file))) {
      const codeOf = (source: string): string => transformSync(source, { loader: 'ts' }).code;
      expect(codeOf(withBug(bug, file, sourceOf(file)))).not.toBe(codeOf(sourceOf(file)));
    }
  });

  it('name the file and the text when the source has changed', () => {
    const renamed = bug('b', '', edit('a.ts', 'old', 'new'));
    expect(withBug(renamed, 'lambdas/a.ts', 'an old line')).toBe('an new line');
    expect(withBug(renamed, 'lambdas/b.ts', 'an old line')).toBe('an old line');
    expect(() => withBug(renamed, 'lambdas/a.ts', 'a line')).toThrow(
      'The bug b expects this text once in lambdas/a.ts, where it is 0 times: "old".',
    );
    expect(() => withBug(renamed, 'lambdas/a.ts', 'old, old')).toThrow('where it is 2 times');
  });

  it('are in docs/reliability.md with a seed that finds each, next to every rule of the checker', () => {
    const document = sourceOf('docs/reliability.md');
    expect([...knownSeeds(document).keys()]).toEqual(bugNames);
    expect(bugs.filter(({ name, does }) => !document.includes(`| \`${name}\` | ${does} |`))).toEqual([]);
    expect(Object.values(rules).filter((rule) => !document.includes(`| ${rule} |`))).toEqual([]);
  });
});
