import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { rules } from '../checker/violation.ts';
import { edit, edited } from './bug.ts';
import { bugs } from './bugs.ts';

const sourceOf = (file: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', file), 'utf8');

describe('the deliberate bugs', () => {
  it('break every rule of the checker', () => {
    const broken = new Set(Object.values(bugs).map(({ breaks }) => breaks));
    expect([...broken].sort()).toEqual(Object.keys(rules).sort());
  });

  it.each(Object.entries(bugs))('%s changes the sources of today, which still compile', (_, { edits }) => {
    for (const file of new Set(edits.map((edit) => edit.file))) {
      const codeOf = (source: string): string => transformSync(source, { loader: 'ts' }).code;
      expect(codeOf(edited(edits, file, sourceOf(file)))).not.toBe(codeOf(sourceOf(file)));
    }
  });

  it('name the file and the text when the source has changed', () => {
    const renamed = [edit('a.ts', 'old', 'new')];
    expect(edited(renamed, 'lambdas/a.ts', 'an old line')).toBe('an new line');
    expect(edited(renamed, 'lambdas/b.ts', 'an old line')).toBe('an old line');
    expect(() => edited(renamed, 'lambdas/a.ts', 'a line')).toThrow(
      'An edit expects this text once in lambdas/a.ts, where it is 0 times: "old".',
    );
    expect(() => edited(renamed, 'lambdas/a.ts', 'old, old')).toThrow('where it is 2 times');
  });
});
