import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { type Stage, stages } from './stages.ts';
import { isMeasured } from './survivor.ts';

/** Some files of one stage. */
export interface Share {
  readonly stage: string;
  readonly files: readonly string[];
}

/** About as many mutants; two cores need two minutes for them. */
const shareLinesMax = 250;

/** The commit, so that each has another share, and always the same one. */
export const seedOfCommit = (): string =>
  execFileSync('git', ['rev-parse', '--short=12', 'HEAD']).toString().trim();

/** Files of one stage whose survivors are known: larger stages come more often. */
export function shareOf(seed: string): Share {
  const all = Object.entries(stages)
    .filter(([stage]) => isMeasured(stage))
    .flatMap(([stage, { mutate }]) =>
      filesOf(mutate).map((file) => ({ stage, file, place: placeOf(seed, file) })),
    );
  const drawn = all.toSorted((a, b) => (a.place < b.place ? -1 : 1));
  const stage = drawn[0]?.stage ?? '';
  const files: string[] = [];
  let lines = 0;
  for (const { file } of drawn.filter((one) => one.stage === stage)) {
    lines += readFileSync(file, 'utf8').split('\n').length;
    if (files.length > 0 && lines > shareLinesMax) break;
    files.push(file);
  }
  return { stage, files };
}

function filesOf(mutate: Stage['mutate']): readonly string[] {
  const patterns = mutate.filter((pattern) => !pattern.startsWith('!'));
  const exclude = mutate.flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : []));
  return globSync(patterns, { exclude });
}

const placeOf = (seed: string, file: string): string =>
  createHash('sha256').update(`${seed} ${file}`).digest('hex');
