/** `npm run mutation`: changes the code in every small way, and lists the changes that no test notices. */
import { matchesGlob, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { mutate } from './mutate.ts';
import { percentOf, scoreOf } from './score.ts';
import { seedOfCommit, shareOf } from './share.ts';
import { type Stage, stages } from './stages.ts';
import { type Found, knownSurvivors, writeSurvivors } from './survivor.ts';

const usage = `npm run mutation [-- STAGE … [--file PATTERN | --write]]
npm run mutation -- --share [--seed TEXT]

Changes the code of a stage in every small way, one at a time, and runs the tests of the stage on each change.
Prints the changes that no test notices, and fails when a stage has more of them than it may have.

--file   mutates only these files, such as lambdas/domain/fact.ts, or lines: lambdas/domain/fact.ts:20-40
--write  makes the survivors of the stage the known ones, in tools/mutation/survivors
--share  mutates a few files, chosen by the commit or by --seed, and fails when a survivor is not known

Stages: ${Object.keys(stages).join(', ')}
`;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const printFound = ({ file, line, code, mutant }: Found): boolean =>
  print(`\n${file}:${line}\n  - ${code}\n  + ${mutant}`);

function stageOf(name: string): Stage {
  const stage = stages[name];
  if (stage === undefined) throw new Error(`There is no stage ${name}.\n\n${usage}`);
  return stage;
}

/** `pattern` may end in lines, such as `:20-40`. */
const matchesFile = (path: string, pattern: string): boolean =>
  matchesGlob(path, pattern.replace(/:\d+-\d+$/, ''));

/** The score of a stage, or of some of its files. */
async function measure(name: string, files?: readonly string[]) {
  const { mutate: all, tests } = stageOf(name);
  const run = { mutate: files ?? all, tests, resultsFile: `.mutation/${name}.json` };
  // With the results of earlier runs for other files of the stage.
  const results = await mutate(run);
  const isChosen = (path: string): boolean => files?.some((file) => matchesFile(path, file)) ?? true;
  const score = scoreOf(
    results.filter(({ fileName }) => isChosen(relative(process.cwd(), fileName))),
    knownSurvivors(name),
  );
  const { mutants, noticed, survivors, missed } = score;
  const explained = survivors.length - missed.length;
  const counts = `${mutants} mutants, ${noticed} noticed, ${missed.length} missed, ${explained} explained`;
  return { score, percent: percentOf(score), line: `${name}: ${percentOf(score).toFixed(1)} %; ${counts}` };
}

/** Resolves with whether the tests of the stage notice enough. */
async function run(name: string, { file, write }: { file?: string; write?: boolean }): Promise<boolean> {
  const { score, percent, line } = await measure(name, file === undefined ? undefined : [file]);
  for (const found of score.missed) printFound(found);
  print(`\n${line}`);
  if (write) writeSurvivors(name, score.survivors);
  const isEnough = percent >= stageOf(name).scoreMin;
  if (!isEnough) print(`Below its minimum of ${stageOf(name).scoreMin} %.`);
  return isEnough;
}

/** Resolves with whether all survivors of the share are known: a new one means that a test is missing. */
async function runShare(seed: string): Promise<boolean> {
  const { stage, files } = shareOf(seed);
  print(`The share of seed ${seed}: ${files.join(', ')}`);
  const { score, line } = await measure(stage, files);
  for (const found of score.unknown) printFound(found);
  print(`\n${line}; ${score.unknown.length} new`);
  const isGood = score.unknown.length === 0;
  if (!isGood) print(`Write tests that notice. Repeat with: npm run mutation -- --share --seed ${seed}`);
  return isGood;
}

const { values, positionals } = parseArgs({
  options: {
    file: { type: 'string' },
    write: { type: 'boolean' },
    share: { type: 'boolean' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
});
if (values.help) print(usage);
else {
  const names = positionals.length > 0 ? positionals : Object.keys(stages);
  let good = true;
  if (values.share) good = await runShare(values.seed ?? seedOfCommit());
  else for (const name of names) good = (await run(name, values)) && good;
  process.exitCode = good ? 0 : 1;
}
