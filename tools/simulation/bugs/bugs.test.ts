import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { type Bug, withBug } from './bug.ts';
import { bugs } from './bugs.ts';

const repository = join(import.meta.dirname, '..', '..', '..');
const sourceOf = (file: string): string => readFileSync(join(repository, file), 'utf8');

describe('the deliberate bugs', () => {
  it('are twenty, each with a name of its own', () => {
    expect(bugs.length).toBeGreaterThanOrEqual(20);
    expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
  });

  it.each(bugs)('$name changes the sources of today, which still compile', (bug) => {
    for (const file of new Set(bug.edits.map((one) => one.file))) {
      const source = sourceOf(file);
      const changed = withBug(bug, file, source);
      expect(changed).not.toBe(source);
      expect(transformSync(changed, { loader: 'ts' }).code).not.toBe(
        transformSync(source, { loader: 'ts' }).code,
      );
    }
  });

  it('name the file and the text when the source has changed', () => {
    const bug: Bug = { name: 'b', does: '', edits: [{ file: 'lambdas/a.ts', text: 'old', by: 'new' }] };
    expect(withBug(bug, 'lambdas/a.ts', 'an old line')).toBe('an new line');
    expect(withBug(bug, 'lambdas/b.ts', 'an old line')).toBe('an old line');
    expect(() => withBug(bug, 'lambdas/a.ts', 'a line')).toThrow(
      'The bug b expects this text once in lambdas/a.ts, where it is 0 times: "old".',
    );
    expect(() => withBug(bug, 'lambdas/a.ts', 'old, old')).toThrow('where it is 2 times');
  });
});
