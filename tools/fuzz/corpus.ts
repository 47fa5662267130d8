import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kept } from './fuzz.ts';
import type { Target } from './target.ts';

const fileOf = ({ name }: Target): string => join(import.meta.dirname, 'corpus', `${name}.jsonl`);

/** Small inputs that show all of a target that was ever seen, and their outcomes. */
export function readCorpus(target: Target): readonly Kept[] {
  const lines = readFileSync(fileOf(target), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const { outcome, text, base64 } = JSON.parse(line) as Readonly<Record<string, string>>;
    return {
      outcome: outcome ?? '',
      input: text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text),
    };
  });
}

/** As text where the bytes are one, so that a reader sees what it is. */
export function writeCorpus(target: Target, kept: readonly Kept[]): void {
  const lines = kept.map(({ input, outcome }) => {
    const text = Buffer.from(input).toString('utf8');
    const isText = Buffer.from(text).equals(input);
    return JSON.stringify(
      isText ? { outcome, text } : { outcome, base64: Buffer.from(input).toString('base64') },
    );
  });
  writeFileSync(fileOf(target), `${lines.toSorted().join('\n')}\n`);
}
