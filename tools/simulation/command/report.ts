import { neverHappened } from '../sometimes.ts';
import type { SeedResult } from './pool.ts';

/** How many runs a set needs before everything that must happen sometimes is expected in it. */
const seedsForCounters = 500;

/** The command that repeats a run exactly. */
const replayOf = (seed: number): string => `npm run simulate-faults -- --seed ${seed}`;

function totalsOf(results: readonly SeedResult[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { counts } of results)
    for (const [name, value] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + value;
  return totals;
}

/** Why a set of runs failed; empty when it did not. */
export function faultsOf(results: readonly SeedResult[]): string[] {
  const never = results.length >= seedsForCounters ? neverHappened(totalsOf(results)) : [];
  return [
    ...results.flatMap(violationsOf),
    ...never.map((name) => `In none of ${results.length} runs did this happen: ${name}.`),
  ];
}

/** The first rule that a run broke, and the command that repeats it; empty for a run that broke none. */
export function violationsOf({ seed, violations }: SeedResult): string[] {
  const [first] = violations;
  if (first === undefined) return [];
  return [
    `Seed ${seed}: ${first.sentence}${more(violations.length - 1)}`,
    `  repeat it with ${replayOf(seed)}`,
  ];
}

const more = (number: number): string => (number === 0 ? '' : ` (and ${number} more)`);

/** What happened, with how often, in columns. */
export function countersOf(results: readonly SeedResult[]): string[] {
  const totals = Object.entries(totalsOf(results)).sort(([a], [b]) => (a < b ? -1 : 1));
  return totals.map(([name, value]) => `  ${name.padEnd(44)}${value.toLocaleString('en-US').padStart(10)}`);
}
