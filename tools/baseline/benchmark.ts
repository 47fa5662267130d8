/** `npm run benchmark`: prints the tables of `docs/performance.md`, or the one that is named. */
import { tables } from './tables.ts';

const [given, ...others] = process.argv.slice(2);
if (others.length > 0 || (given !== undefined && tables[given] === undefined)) {
  const names = Object.keys(tables).join(', ');
  process.stderr.write(`npm run benchmark takes the name of one table, or nothing for all: ${names}.\n`);
  process.stderr.write(`Given: ${process.argv.slice(2).join(' ')}.\n`);
  process.exitCode = 2;
} else {
  for (const [name, print] of Object.entries(tables)) {
    if (given === undefined || given === name) process.stdout.write(`\n${name}\n\n${await print()}\n`);
  }
}
