import { readFlags, readWholeNumber } from '../../command-line.ts';

export interface CommandOptions {
  readonly pairs: number;
  /** Draws the pairs. */
  readonly seed: string;
  readonly isHelp: boolean;
}

const pairsByDefault = 500;
const pairsMax = 1_000_000;

export const usage = `npm run crash-points -- [--pairs N] [--seed S]

Runs the steps of the mixed run, and interrupts each of their calls of AWS in each way.
The exit code is 1 when a step does not end as without an interruption.

  --pairs N  how many runs with two interruptions of one step to add (${pairsByDefault} by default)
  --seed S   what draws them (1 by default)
  --help     print this
`;

const flags = {
  pairs: { type: 'string' },
  seed: { type: 'string', default: '1' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function readOptions(args: readonly string[]): CommandOptions {
  const { pairs, seed, help: isHelp } = readFlags(args, flags);
  return { pairs: readWholeNumber('--pairs', pairs, pairsMax) ?? pairsByDefault, seed, isHelp };
}
