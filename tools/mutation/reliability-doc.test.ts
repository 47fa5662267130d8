import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stages } from './stages.ts';
import { isMeasured, knownSurvivors } from './survivor.ts';

const document = readFileSync('docs/reliability.md', 'utf8');
const measured = Object.keys(stages).filter(isMeasured);

it('docs/reliability.md has every stage, its explained and missed changes, and sums that add up', () => {
  const row = /^\|[^|]+\| ([\d,]+) \| ([\d,]+) \| (\d+) \| (\d+) \| `npm run mutation -- ([\w-]+)` \|$/gm;
  const rows = [...document.matchAll(row)].map(([, tried, noticed, explained, missed, stage]) => {
    const [all, some] = [tried, noticed].map((text) => Number(text?.replace(',', '')));
    return { stage, all, some, explained: Number(explained), missed: Number(missed) };
  });
  expect(rows.map(({ stage }) => stage).toSorted()).toEqual(measured.toSorted());
  for (const { stage = '', all, some = 0, explained, missed } of rows) {
    const reasons = knownSurvivors(stage).map(({ reason }) => reason);
    const unexplained = reasons.filter((reason) => reason === undefined).length;
    expect([stage, explained, missed]).toEqual([stage, reasons.length - unexplained, unexplained]);
    expect([stage, all]).toEqual([stage, some + explained + missed]);
  }
});

it.each(measured)('every known survivor of the stage %s is a change of code that exists', (stage) => {
  const gone = knownSurvivors(stage).filter(({ file, around, code }) => {
    const source = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
    return !source.includes(around.replace('…', () => code));
  });
  expect(gone).toEqual([]);
});
