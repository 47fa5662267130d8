/** `npm run simulate-faults`: one simulated run per seed, judged by the checker. */
import { availableParallelism } from 'node:os';
import { runCommand } from '../command-line.ts';
import { huntBugs } from './bugs/command.ts';
import { type CommandOptions, readOptions, usage } from './command/options.ts';
import { judgeSeed, runSeeds, type SeedResult } from './command/pool.ts';
import { countersOf, faultsOf, violationsOf } from './command/report.ts';
import { bundleVersions, loadBundles } from './lambda/bundles.ts';

const progressLinesMax = 10;
const print = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

async function run({ firstSeed, seeds, isTraced }: CommandOptions): Promise<readonly SeedResult[]> {
  const code = await bundleVersions();
  if (isTraced) return [await judgeSeed(firstSeed, loadBundles(code), (line) => print(line))];
  const every = Math.ceil(seeds / progressLinesMax);
  let done = 0;
  return runSeeds({
    code,
    seeds: Array.from({ length: seeds }, (_, index) => firstSeed + index),
    workers: availableParallelism(),
    // A long run shows what fails while it goes on.
    onResult(result) {
      done += 1;
      for (const line of violationsOf(result)) print(line);
      if (done % every === 0) process.stderr.write(`${done} of ${seeds} seeds\n`);
    },
  });
}

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.isHelp) {
    print(usage);
    return 0;
  }
  if (options.bug !== undefined) return huntBugs(options.bug, print);
  const results = await run(options);
  const { user, system } = process.cpuUsage();
  print(
    '',
    'What happened, and how often:',
    ...countersOf(results),
    '',
    `${results.length} seeds in ${((user + system) / 1e6).toFixed(1)} CPU seconds.`,
  );
  const faults = faultsOf(results);
  if (faults.length === 0) {
    print('', 'No run broke a rule.');
    return 0;
  }
  print('', ...faults);
  return 1;
}

await runCommand(usage, main);
