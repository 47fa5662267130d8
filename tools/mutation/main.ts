/** `npm run mutation`: changes the code in every small way, and lists the changes that no test notices. */
import { parseArgs } from 'node:util';
import { mutate } from './mutate.ts';
import { percentOf, scoreOf } from './score.ts';
import { stages } from './stages.ts';
import { equivalentMutants } from './survivors.ts';

const usage = `npm run mutation [-- STAGE … [--file PATTERN]]

Changes the code of a stage in every small way, one at a time, and runs the tests of the stage on each change.
Prints the changes that no test notices, and fails when a stage has more of them than it may have.

--file mutates only these files, such as lambdas/domain/fact.ts, or lines of one: lambdas/domain/fact.ts:20-40

Stages: ${Object.keys(stages).join(', ')}
`;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Resolves with whether the tests of the stage notice enough. */
async function run(name: string, file: string | undefined): Promise<boolean> {
  const stage = stages[name];
  if (stage === undefined) throw new Error(`There is no stage ${name}.\n\n${usage}`);
  const results = await mutate({
    mutate: file === undefined ? stage.mutate : [file],
    tests: stage.tests,
    resultsFile: `.mutation/${name}.json`,
  });
  const score = scoreOf(results, equivalentMutants(name));
  for (const { file: path, line, code, mutant } of score.missed)
    print(`\n${path}:${line}\n  - ${code}\n  + ${mutant}`);
  const percent = percentOf(score);
  const { mutants, noticed, equivalent, missed } = score;
  const counts = `${mutants} mutants, ${noticed} noticed, ${missed.length} missed, ${equivalent} equivalent`;
  print(`\n${name}: ${percent.toFixed(1)} % (at least ${stage.scoreMin}); ${counts}`);
  return percent >= stage.scoreMin;
}

const { values, positionals } = parseArgs({
  options: { file: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
if (values.help) print(usage);
else {
  const names = positionals.length === 0 ? Object.keys(stages) : positionals;
  const failed: string[] = [];
  for (const name of names) if (!(await run(name, values.file))) failed.push(name);
  if (failed.length > 0) print(`\nBelow the minimum: ${failed.join(', ')}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
