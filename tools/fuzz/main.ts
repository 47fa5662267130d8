/** `npm run fuzz`: three properties on many inputs. */
import { inspect } from 'node:util';
import { readFlags, readWholeNumber, runCommand } from '../command-line.ts';
import { outcomes } from './outcomes.ts';
import { properties } from './properties.ts';

const runsByDefault = 100_000;
const usage = `npm run fuzz -- [--seed N] [--runs N]

Draws ${runsByDefault} inputs for each property, or N of them, from a seed. The first that breaks one
ends the run with exit code 1.
`;

async function main(args: readonly string[]): Promise<number> {
  const values = readFlags(args, { seed: { type: 'string' }, runs: { type: 'string' } });
  const seed = readWholeNumber('--seed', values.seed, 2 ** 31 - 1) ?? Date.now() % 1_000_000;
  const numRuns = readWholeNumber('--runs', values.runs, 100_000_000) ?? runsByDefault;
  for (const { name, run } of properties) {
    try {
      const seen = await run({ seed, numRuns });
      const shown = `${seen.length} of ${outcomes[name].length} outcomes`;
      process.stdout.write(`${name}: ${numRuns} inputs, ${shown}, seed ${seed}\n`);
    } catch (error) {
      process.stderr.write(`${name}, seed ${seed}: ${inspect(error)}\n`);
      return 1;
    }
  }
  return 0;
}

await runCommand(usage, main);
