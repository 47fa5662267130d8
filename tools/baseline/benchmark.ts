/** `npm run benchmark`: prints CPU time, as in `docs/scale.md`, and what the baseline costs. */
import { baselineBill, costTable } from './cost.ts';
import { cpuTable, measureCpuTime } from './cpu-time.ts';
import { measureQueries, queryTable } from './query-time.ts';
import { type Stack, startStack } from './stack.ts';

const rounds = 21;
const webhooksPerRound = 40;

const tables: Readonly<Record<string, (stack: Stack) => Promise<string>>> = {
  cpu: async (stack) => cpuTable(await measureCpuTime(stack, rounds, webhooksPerRound)),
  queries: async (stack) => queryTable(await measureQueries(stack, rounds / 3)),
  cost: async (stack) => costTable(await baselineBill(stack)),
};

const given = process.argv.slice(2);
if (given.some((name) => tables[name] === undefined)) {
  process.stderr.write(`Given: ${given.join(' ')}; expected some of ${Object.keys(tables).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  const stack = await startStack();
  for (const [name, print] of Object.entries(tables))
    if (given.length === 0 || given.includes(name))
      process.stdout.write(`\n${name}\n\n${await print(stack)}\n`);
  await stack.stop();
}
