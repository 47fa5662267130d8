/** `npm run crash-points`: interrupts each call of AWS that a mixed run makes. */
import { runCommand } from '../../command-line.ts';
import { bundleStages, loadBundles } from '../lambda/bundles.ts';
import { createRandom } from '../random.ts';
import { choosePair, differencesOf, runWhole, singlePoints, type WholeStep } from './crash-points.ts';
import { losses } from './interruptions.ts';
import { readOptions, usage } from './options.ts';

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
  const { pairs, seed, isHelp } = readOptions(args);
  if (isHelp) {
    process.stdout.write(usage);
    return 0;
  }
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
