/**
 * Prints what the documents and comments say in figures: `npm run measure`, or one part of it. `write` puts the
 * tables of `docs/cost.md` and `docs/scale.md` into their places.
 */
import { printClaims } from './claims.ts';
import { type DocumentName, documentNames, tablesOf, writeDocument } from './documents.ts';
import { measureAll } from './measurement.ts';

const parts = ['claims', ...documentNames, 'write'];

async function printTables(names: readonly DocumentName[]): Promise<void> {
  const measured = await measureAll();
  for (const name of names) {
    for (const [title, text] of Object.entries(tablesOf(name, measured))) {
      process.stdout.write(`\n${name}: ${title}\n\n${text}\n`);
    }
  }
}

async function writeTables(): Promise<void> {
  const measured = await measureAll();
  for (const name of documentNames) writeDocument(name, measured);
}

const [given, ...others] = process.argv.slice(2);
const document = documentNames.find((name) => name === given);
if (others.length > 0 || (given !== undefined && !parts.includes(given))) {
  process.stderr.write(
    `Given: ${[given, ...others].join(' ')}. Expected nothing, or one of ${parts.join(', ')}.\n`,
  );
  process.exitCode = 2;
} else if (given === 'write') {
  await writeTables();
} else {
  if (document === undefined) await printClaims();
  if (given !== 'claims') await printTables(document === undefined ? documentNames : [document]);
}
