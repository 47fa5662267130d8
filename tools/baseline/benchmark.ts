/** `npm run benchmark`: prints the tables of `docs/performance.md`, or the one that is named. */
import { bundleTable } from './bundles.ts';
import { baselineBill, costTable } from './cost.ts';
import { cpuTable, measureCpuTime } from './cpu-time.ts';
import { type Stack, startStack } from './stack.ts';

const rounds = 21;
const webhooksPerRound = 40;

async function onStack(print: (stack: Stack) => Promise<string>): Promise<string> {
  const stack = await startStack();
  try {
    return await print(stack);
  } finally {
    await stack.stop();
  }
}

const tables: Readonly<Record<string, () => Promise<string>>> = {
  cpu: () => onStack(async (stack) => cpuTable(await measureCpuTime(stack, rounds, webhooksPerRound))),
  bundles: bundleTable,
  cost: () => onStack(async (stack) => costTable(await baselineBill(stack))),
};

const given = process.argv.slice(2);
if (given.some((name) => tables[name] === undefined)) {
  process.stderr.write(`Given: ${given.join(' ')}; expected some of ${Object.keys(tables).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  for (const [name, print] of Object.entries(tables))
    if (given.length === 0 || given.includes(name)) process.stdout.write(`\n${name}\n\n${await print()}\n`);
}
