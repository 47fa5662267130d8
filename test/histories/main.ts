import { runHistory } from './history.ts';

const usage = 'npm run histories -- [RUNS, 1000 by default] [FIRST SEED, 1 by default]';
const [runs = 1_000, first = 1, ...others] = process.argv.slice(2).map(Number);
if (others.length > 0 || ![runs, first].every((given) => Number.isSafeInteger(given) && given > 0)) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const stats = { killed: 0, busy: 0, acts: 0 };
const faults: string[] = [];
for (let seed = first; seed < first + runs && faults.length < 5; seed += 1) {
  const fault = await runHistory(seed, stats);
  if (fault !== undefined) faults.push(fault);
}
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${runs} histories, ${faults.length} wrong ${JSON.stringify(stats)}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
