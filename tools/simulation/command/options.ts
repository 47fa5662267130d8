import { OptionError, readFlags, readWholeNumber } from '../../command-line.ts';
import { bugNames } from '../bugs/bugs.ts';

export interface CommandOptions {
  readonly firstSeed: number;
  readonly seeds: number;
  readonly isTraced: boolean;
  /** One deliberate bug by name, or `all`; `undefined` for the code as it is. */
  readonly bug: string | undefined;
  readonly isWritten: boolean;
  readonly isHelp: boolean;
}

export const usage = `npm run simulate-faults -- [--seeds N] [--seed S] [--trace]
npm run simulate-faults -- --bug NAME
npm run simulate-faults -- --bugs [--write]

Simulates the whole pipeline under faults, one run per seed, and judges what each run leaves behind.

  --seeds N   how many seeds to run (20 by default; 1 with --seed)
  --seed S    the first seed (1 by default)
  --trace     print everything that happens, line by line; for one seed
  --bug NAME  put a deliberate bug into the code, and run seeds until one finds it
  --bugs      do that for every bug, and print what found each
  --write     write their table into docs/reliability.md
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
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function readOptions(args: readonly string[]): CommandOptions {
  const values = readFlags(args, flags);
  const firstSeed = readWholeNumber('--seed', values.seed, numberMax) ?? 1;
  const seeds =
    readWholeNumber('--seeds', values.seeds, numberMax) ?? (values.seed === undefined ? seedsByDefault : 1);
  if (values.trace && seeds !== 1)
    throw new OptionError(`--trace prints one seed, and ${seeds} are to run; expected --seed S --trace.`);
  return { firstSeed, seeds, isTraced: values.trace, ...readBug(values), isHelp: values.help };
}

function readBug({ bug, bugs, write }: ReturnType<typeof readFlags<typeof flags>>) {
  if (write && !bugs) throw new OptionError('--write writes the table of all bugs; expected --bugs --write.');
  if (bug !== undefined && !bugNames.includes(bug)) {
    const given = JSON.stringify(bug);
    throw new OptionError(`--bug is ${given}; expected one of ${bugNames.join(', ')}.`);
  }
  return { bug: bugs ? 'all' : bug, isWritten: write };
}
