/** `npm run measure`: see the README of this folder. */
import { writeFileSync } from 'node:fs';
import { measureOtherBuilds } from '../baseline/cost.ts';
import { costTables } from './cost-tables.ts';
import { costDocument, updatedDocument } from './documents.ts';
import { measureAll } from './scenarios.ts';

const given = process.argv.slice(2).join(' ');
if (given !== '' && given !== 'write') {
  process.stderr.write(`npm run measure takes no argument, or "write"; given: ${given}.\n`);
  process.exitCode = 2;
} else {
  const tables = costTables(await measureAll(), await measureOtherBuilds());
  if (given === 'write') writeFileSync(costDocument, updatedDocument(costDocument, tables));
  else process.stdout.write(`${Object.values(tables).join('\n\n')}\n`);
}
