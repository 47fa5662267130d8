/** `npm run measure`: see the README of this folder. */
import { writeFileSync } from 'node:fs';
import { costTables } from './cost-tables.ts';
import { documentPath, updatedDocument } from './documents.ts';
import { scaleTables } from './scale-tables.ts';
import { measureAll } from './scenarios.ts';

const given = process.argv.slice(2).join(' ');
if (given !== '' && given !== 'write') {
  process.stderr.write(`npm run measure takes no argument, or "write"; given: ${given}.\n`);
  process.exitCode = 2;
} else {
  const measured = await measureAll();
  for (const [name, tables] of Object.entries({ cost: costTables(measured), scale: scaleTables(measured) })) {
    if (given === 'write') writeFileSync(documentPath(name), updatedDocument(name, tables));
    else process.stdout.write(`${Object.values(tables).join('\n\n')}\n\n`);
  }
}
