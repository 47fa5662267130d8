/** `npm run benchmark`: see the README of this folder. */
import { writeFileSync } from 'node:fs';
import { costTables } from '../cost-model/cost-tables.ts';
import { performanceDocument, updatedDocument } from '../cost-model/documents.ts';
import { measureAll } from '../cost-model/scenarios.ts';
import { measureOtherBuilds } from './cost.ts';
import { cpuTable } from './cpu-time.ts';
import { latencyTable } from './latency.ts';
import { measureQueries, queryTable } from './query-time.ts';
import { type Stack, startStack } from './stack.ts';

const onStack = async (print: (stack: Stack) => Promise<string>): Promise<string> => {
  const stack = await startStack();
  return print(stack).finally(stack.stop);
};
const documented: Readonly<Record<string, () => Promise<string>>> = {
  cpu: () => onStack(cpuTable),
  queries: () => onStack(async (stack) => queryTable(await measureQueries(stack, 7))),
  latency: latencyTable,
};
const tables: Readonly<Record<string, () => Promise<string | undefined>>> = {
  ...documented,
  cost: async () => costTables(await measureAll(), await measureOtherBuilds())['million'],
};

const given = process.argv.slice(2).join(' ');
const names = Object.keys(given === 'write' ? documented : tables);
const chosen = names.filter((name) => ['', 'write', name].includes(given));
if (chosen.length === 0) {
  process.stderr.write(`Given: ${given}; expected nothing, write, or one of ${names.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  const measured: Record<string, string> = {};
  for (const name of chosen) {
    measured[name] = (await tables[name]?.()) ?? '';
    process.stdout.write(`\n${name}\n\n${measured[name]}\n`);
  }
  if (given === 'write') writeFileSync(performanceDocument, updatedDocument(performanceDocument, measured));
}
