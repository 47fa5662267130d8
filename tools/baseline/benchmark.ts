/** `npm run benchmark`: see the README of this folder. */
import { writeFileSync } from 'node:fs';
import { costTables } from '../cost-model/cost-tables.ts';
import { performanceDocument, updatedDocument } from '../cost-model/documents.ts';
import { measureAll } from '../cost-model/scenarios.ts';
import { measureOtherBuilds } from './cost.ts';
import { cpuTable } from './cpu-time.ts';
import { latencyTable } from './latency.ts';
import { startStack } from './stack.ts';

const tables: Readonly<Record<string, () => Promise<string | undefined>>> = {
  async cpu() {
    const stack = await startStack();
    return cpuTable(stack).finally(stack.stop);
  },
  cost: async () => costTables(await measureAll(), await measureOtherBuilds())['million'],
  latency: latencyTable,
};

const given = process.argv.slice(2).join(' ');
const names = given === 'write' ? ['cpu', 'latency'] : Object.keys(tables);
const chosen = names.filter((name) => given === name || given === 'write' || given === '');
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
