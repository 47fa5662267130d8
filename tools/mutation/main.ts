/** `npm run mutation`: changes the code in every small way, and lists the changes that no test notices. */
import { matchesGlob, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { mutate } from './mutate.ts';
import { percentOf, scoreOf } from './score.ts';
import { seedOfCommit, shareOf } from './share.ts';
import { type Stage, stages } from './stages.ts';
import { type Found, knownSurvivors, writeSurvivors } from './survivor.ts';

const usage = `npm run mutation [-- STAGE … [--file PATTERN]… [--write] [--force]]
npm run mutation -- --share [--seed TEXT]

Changes the code of a stage in every small way, one at a time, and runs the tests of the stage on each change.
Prints the changes that no test notices, and fails when a stage has more of them than it may have.

--file   mutates only these files, such as lambdas/domain/fact.ts, or lines: lambdas/domain/fact.ts:20-40;
         may be given several times
--write  makes the survivors of these files the known ones, in tools/mutation/survivors
--force  repeats also what has not changed since the last run
--share  mutates a few files, chosen by the commit or by --seed, and fails when a survivor is not known

Stages: ${Object.keys(stages).join(', ')}
`;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

function printFound({ file, line, code, mutant, undecided }: Found): void {
  print(`\n${file}:${line}\n  - ${code}\n  + ${mutant}`);
  if (undecided !== undefined) print(`  ${undecided}`);
}

function stageOf(name: string): Stage {
  const stage = stages[name];
  if (stage === undefined) throw new Error(`There is no stage ${name}.\n\n${usage}`);
  return stage;
}

/** How a pattern of files may end, such as `:20-40`. */
const ofLines = /:\d+-\d+$/;

const matchesFile = (path: string, pattern: string): boolean =>
  matchesGlob(path, pattern.replace(ofLines, ''));

const isChosen = (path: string, files?: readonly string[]): boolean =>
  files?.some((file) => matchesFile(path, file)) ?? true;

/** The score of a stage, or of some of its files. */
async function measure(name: string, files?: readonly string[], force = false) {
  const { mutate: all, tests } = stageOf(name);
  const run = { mutate: files ?? all, tests, resultsFile: `.mutation/${name}.json`, force };
  // With the results of earlier runs for other files of the stage.
  const results = await mutate(run);
  const score = scoreOf(
    results.filter(({ fileName }) => isChosen(relative(process.cwd(), fileName), files)),
    knownSurvivors(name),
  );
  const { mutants, noticed, survivors, missed } = score;
  const explained = survivors.length - missed.length;
  const undecided = survivors.filter((one) => one.undecided !== undefined).length;
  const counts = `${mutants} mutants, ${noticed} noticed, ${missed.length} missed, ${explained} explained`;
  const line = `${name}: ${percentOf(score).toFixed(1)} %; ${counts}; ${undecided} undecided`;
  return { score, percent: percentOf(score), line };
}

interface Options {
  readonly file?: readonly string[];
  readonly write?: boolean;
  readonly force?: boolean;
}

/** Resolves with whether the tests of the stage notice enough. */
async function run(name: string, { file: files, write, force }: Options): Promise<boolean> {
  const lines = files?.find((file) => ofLines.test(file));
  if (write && lines !== undefined)
    throw new Error(`--write was given with the lines ${lines}; expected whole files.`);
  const { score, percent, line } = await measure(name, files, force);
  for (const found of score.missed) printFound(found);
  print(`\n${line}`);
  if (write) writeSurvivors(name, score.survivors, (path) => isChosen(path, files));
  const isEnough = percent >= stageOf(name).scoreMin;
  if (!isEnough) print(`Below its minimum of ${stageOf(name).scoreMin} %.`);
  return isEnough;
}

/** Resolves with whether all survivors of the share are known: a new one means that a test is missing. */
async function runShare(seed: string): Promise<boolean> {
  const { stage, files } = shareOf(seed);
  print(`The share of seed ${seed}: ${files.join(', ')}`);
  const { score, line } = await measure(stage, files, true);
  for (const found of score.unknown) printFound(found);
  print(`\n${line}; ${score.unknown.length} new`);
  const isGood = score.unknown.length === 0;
  if (!isGood) print(`Write tests that notice. Repeat with: npm run mutation -- --share --seed ${seed}`);
  return isGood;
}

const { values, positionals } = parseArgs({
  options: {
    file: { type: 'string', multiple: true },
    write: { type: 'boolean' },
    force: { type: 'boolean' },
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
