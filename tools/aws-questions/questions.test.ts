import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { probes, readQuestions } from './questions.ts';

it('every question of the document has a probe, unless it is asked by hand, and every probe a question', () => {
  const probed = readQuestions().filter(({ byHand }) => byHand === '');
  expect(probed.map(({ id }) => id).toSorted()).toEqual(Object.keys(probes).toSorted());
});

it('key-off is asked last: without the key, what came before cannot be read', () => {
  expect(Object.keys(probes).at(-1)).toBe('key-off');
});

it('every row of the table of questions is read, with what is expected', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/assumptions.md'), 'utf8');
  const rows = document.split('## What only AWS can answer')[1]?.match(/^\| `/gm);
  expect(readQuestions().filter(({ text, expected }) => text && expected)).toHaveLength(rows?.length ?? 0);
});
