import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { expect, it, onTestFinished } from 'vitest';
import { distinct, knownSurvivors, mergedSurvivors, type Survivor, survivorOf } from './survivor.ts';

/** The survivors of changes of `code` to `mutant`, each at the n-th place of `code` in `source`. */
function survivorsIn(source: string, code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-survivor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fileName = join(folder, 'code.ts');
  writeFileSync(fileName, source);
  return [...source.matchAll(new RegExp(code.replaceAll(/[^\s\w]/g, '\\$&'), 'g'))].map(({ index }) => {
    const at = (offset: number) => {
      const lines = source.slice(0, offset).split('\n');
      return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    };
    const location = { start: at(index), end: at(index + code.length) };
    const result = { fileName, location, replacement: 'm' } as MutantResult;
    const { file: _, line: __, ...named } = survivorOf(result);
    return named;
  });
}

it('survivors of equal texts differ by the lines around them, or by their number', () => {
  const source = "f(a ?? '', b ?? '');\n  g('');\n  g('');\n";
  expect(survivorsIn(source, "''")).toEqual([
    { around: "f(a ?? …, b ?? '');", code: "''", mutant: 'm' },
    { around: "f(a ?? '', b ?? …);", code: "''", mutant: 'm' },
    { around: 'g(…);', code: "''", mutant: 'm' },
    { around: 'g(…);', nth: 2, code: "''", mutant: 'm' },
  ]);
});

it('a survivor keeps its name when other lines come and go, and when it is indented or moved', () => {
  const before = survivorsIn('start();\nif (a >\n  b) stop();\n', 'a >\n  b');
  const after = survivorsIn('{\n    if (a >\n      b) stop();\n}\nother();\nmore(a > b);\n', 'a >\n      b');
  expect(before).toEqual([{ around: 'if (…) stop();', code: 'a > b', mutant: 'm' }]);
  expect(after).toEqual(before);
});

const survivor = (file: string, around: string, reason?: string): Survivor => ({
  ...{ file, around, code: "''", mutant: '"x"' },
  ...(reason !== undefined && { reason }),
});
const found = (one: Survivor) => ({ ...one, line: 7 });

it('two survivors of one name are an error, in what is known and in what is found', () => {
  const one = survivor('a.ts', 'f(…)');
  expect(() => distinct([one, { ...one, reason: 'why' }])).toThrow('["a.ts","\'\'","\\"x\\"","f(…)",1]');
  expect(distinct([one, { ...one, nth: 2 }])).toHaveLength(2);
  expect(() => mergedSurvivors([], [found(one), found(one)], () => true)).toThrow('the same name');
});

it('writing the survivors of some files keeps the others, drops what is noticed, and keeps reasons', () => {
  const known = [survivor('a.ts', 'f(…)', 'Only f.'), survivor('a.ts', 'noticed(…)', 'It was not noticed.')];
  const ofAnother = survivor('b.ts', 'g(…)', 'Another file.');
  const now = ['newer(…)', 'new(…)', 'f(…)'].map((around) => survivor('a.ts', around));
  expect(mergedSurvivors([...known, ofAnother], now.map(found), isOfA)).toEqual([
    survivor('a.ts', 'f(…)', 'Only f.'),
    survivor('a.ts', 'new(…)'),
    survivor('a.ts', 'newer(…)'),
    ofAnother,
  ]);
});

it('a reason stays with its code and the lines around it, and goes to no other code', () => {
  const known = [survivor('a.ts', 'f(…)', 'Only f.'), survivor('b.ts', 'f(…)', 'Another file.')];
  const renamed = survivor('a.ts', 'renamed(…)');
  expect(mergedSurvivors(known, [found(renamed)], isOfA)).toEqual([renamed, known[1]]);
});

const isOfA = (file: string): boolean => file === 'a.ts';

const stages = readdirSync(new URL('survivors', import.meta.url)).map((name) => basename(name, '.json'));

it.each(stages)('every known survivor of %s has a name of its own, with its lines', (stage) => {
  for (const one of knownSurvivors(stage)) expect(one.around).toContain('…');
});
