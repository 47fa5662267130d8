import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pictureOf } from '../picture.ts';
import { recordTerminal } from '../recording.ts';

/** The words of a picture; ids, times and durations differ from run to run. */
const wordsOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)]
    .map(([, line = '']) => line)
    .join(' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID')
    .replace(/\b[0-9a-f]{8}…/g, 'UUID…')
    .replace(/order-(\d+)-\w{4}/g, 'order-$1')
    .replace(/since \S+\)/g, 'since TIME)')
    .replace(/\b\d+ (s|min)\b/g, 'DURATION')
    .split(/\s+/);

it('docs/terminal.svg shows what npm start and the command line print; if not, npm run recording', async () => {
  const drawn = readFileSync(join(import.meta.dirname, '../../../docs/terminal.svg'), 'utf8');
  const recorded = await recordTerminal();
  expect(wordsOf(pictureOf(recorded, 'now'))).toEqual(wordsOf(drawn));
  expect(recorded.join('\n')).toMatch(/→ 403 → There is no live order[\s\S]*Admitted [\w-]+\.$/);
  expect(drawn).not.toMatch(/pri_|127\.0\.0\.1:(?!4800)/);
});
