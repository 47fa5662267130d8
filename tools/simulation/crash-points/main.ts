/** `npm run crash-points`: interrupts each call of AWS that a mixed run makes. */
import { readFlags, readWholeNumber, runCommand } from '../../command-line.ts';
import { bundleStages, loadBundles } from '../lambda/bundles.ts';
import { createRandom } from '../random.ts';
import { choosePair, differencesOf, runWhole, singlePoints, type WholeStep } from './crash-points.ts';
import { losses } from './interruptions.ts';

const pairsByDefault = 500;
const pairsMax = 1_000_000;

const usage = `npm run crash-points -- [--pairs N] [--seed S]

Runs the steps of the mixed run, and interrupts each of their calls of AWS in each way.
The exit code is 1 when a step does not end as without an interruption.

  --pairs N  how many runs with two interruptions of one step to add (${pairsByDefault} by default)
  --seed S   what draws them (1 by default)
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints what became of each single interruption of these steps; returns how many runs that were. */
async function interruptEach(steps: readonly WholeStep[], wrong: string[]): Promise<number> {
  let runs = 0;
  for (const step of steps) {
    const found: string[][] = [];
    for (const point of singlePoints(step)) found.push(await differencesOf(step, [point]));
    wrong.push(...found.flat());
    runs += found.length;
    const others = found.filter((one) => one.length > 0);
    print(`| ${step.name} | ${step.end.calls} | ${found.length} | ${others.length} |`);
  }
  return runs;
}

async function main(args: readonly string[]): Promise<number> {
  const { seed, ...flags } = readFlags(args, {
    pairs: { type: 'string' },
    seed: { type: 'string', default: '1' },
  });
  const pairs = readWholeNumber('--pairs', flags.pairs, pairsMax) ?? pairsByDefault;
  const wrong: string[] = [];
  print(`Each call of AWS in turn: ${losses.join(', ')}.\n`);
  print('| Step | Calls | Runs | Other ends |\n|---|---|---|---|');
  const whole = await runWhole(loadBundles({ today: await bundleStages() }));
  const runs = await interruptEach(whole, wrong);

  const random = createRandom(seed);
  for (let pair = 0; pair < pairs; pair += 1) {
    const { step, points } = choosePair(whole, random);
    wrong.push(...(await differencesOf(step, points)));
  }
  print(`\n${runs} runs with one interruption, ${pairs} with two (seed ${seed}).`);
  for (const line of wrong) print(line);
  return wrong.length === 0 ? 0 : 1;
}

await runCommand(usage, main);
