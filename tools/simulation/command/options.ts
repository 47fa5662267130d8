import { OptionError, readFlags, readWholeNumber } from '../../command-line.ts';
import { bugs } from '../bugs/bugs.ts';

export interface CommandOptions {
  readonly firstSeed: number;
  readonly seeds: number;
  readonly isTraced: boolean;
  /** One deliberate bug by name, or `all`; `undefined` for the code as it is. */
  readonly bug: string | undefined;
  readonly isHelp: boolean;
}

export const usage = `npm run simulate-faults -- [--seeds N] [--seed S] [--trace]
npm run simulate-faults -- --bug NAME
npm run simulate-faults -- --bugs

Simulates the whole pipeline under faults, one run per seed, and judges what each run leaves behind.

  --seeds N   how many seeds to run (20 by default; 1 with --seed)
  --seed S    the first seed (1 by default)
  --trace     print everything that happens, line by line; for one seed
  --bug NAME  put a deliberate bug into the code, and run seeds until one breaks its rule
  --bugs      do that for every bug, and print what found each
  --help      print this
`;

const seedsByDefault = 20;
const numberMax = 1_000_000_000;

const flags = {
  seeds: { type: 'string' },
  seed: { type: 'string' },
  trace: { type: 'boolean', default: false },
  bug: { type: 'string' },
  bugs: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function readOptions(args: readonly string[]): CommandOptions {
  const values = readFlags(args, flags);
  const firstSeed = readWholeNumber('--seed', values.seed, numberMax) ?? 1;
  const seeds =
    readWholeNumber('--seeds', values.seeds, numberMax) ?? (values.seed === undefined ? seedsByDefault : 1);
  if (values.trace && seeds !== 1)
    throw new OptionError(`--trace prints one seed, and ${seeds} are to run; expected --seed S --trace.`);
  const { bug } = values;
  if (bug !== undefined && !(bug in bugs)) {
    const [given, expected] = [JSON.stringify(bug), Object.keys(bugs).join(', ')];
    throw new OptionError(`--bug is ${given}; expected one of ${expected}.`);
  }
  const wanted = values.bugs ? 'all' : bug;
  return { firstSeed, seeds, isTraced: values.trace, bug: wanted, isHelp: values.help };
}
