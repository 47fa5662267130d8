import { parseArgs } from 'node:util';
import { bundleStages, loadBundles } from '../lambda/bundles.ts';
import { createRandom } from '../random.ts';
import { choosePair, differencesOf, runWhole, singlePoints, type WholeStep } from './crash-points.ts';
import { losses } from './interruptions.ts';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const stages = await bundleStages();
const bundles = loadBundles({ old: stages, new: stages });
const forms = { 'Rows as 0.2.0 wrote them': false, 'Compact rows': true };
const all: WholeStep[] = [];
const wrong: string[] = [];
let runs = 0;

print(`Each call of AWS in turn: ${losses.join(', ')}.`);
for (const [form, isCompact] of Object.entries(forms)) {
  print(`\n${form}:\n\n| Step | Calls | Runs | Other ends |\n|---|---|---|---|`);
  const whole = await runWhole(bundles, isCompact);
  all.push(...whole);
  for (const step of whole) {
    const found: string[][] = [];
    for (const point of singlePoints(step)) found.push(await differencesOf(step, [point]));
    wrong.push(...found.flat());
    runs += found.length;
    const others = found.filter((one) => one.length > 0);
    print(`| ${step.name} | ${step.end.calls} | ${found.length} | ${others.length} |`);
  }
}

const random = createRandom(values.seed);
for (let pair = 0; pair < Number(values.pairs); pair += 1) {
  const { step, points } = choosePair(all, random);
  wrong.push(...(await differencesOf(step, points)));
}
print(`\n${runs} runs with one interruption, ${values.pairs} with two (seed ${values.seed}).`);
for (const line of wrong) print(line);
process.exitCode = wrong.length === 0 ? 0 : 1;
