/** `npm run measure`: see the README of this folder. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { leanBundleOptions } from '../../lib/lean-bundle.ts';
import { costTables } from './cost-tables.ts';
import { documentPath, updatedDocument } from './documents.ts';
import { scaleTables } from './scale-tables.ts';
import { measureAll } from './scenarios.ts';

async function bundleBytes(file: string, options: BuildOptions = {}): Promise<number> {
  const resolveDir = join(import.meta.dirname, '..', '..', 'lambdas');
  const stdin = { contents: `export * from './${file}'`, resolveDir, loader: 'ts' } as const;
  const { outputFiles } = await build({ ...leanBundleOptions, ...options, stdin, write: false });
  return outputFiles?.[0]?.contents.length ?? 0;
}

async function printBundleSizes(): Promise<void> {
  const stages = ['verifier', 'consumer', 'order-query', 'order-feed'];
  for (const file of [...stages.map((stage) => `${stage}/handler.ts`), 'aws/telemetry.ts'])
    process.stdout.write(`${await bundleBytes(file)} bytes: bundle of lambdas/${file}\n`);
  const unaliased = await bundleBytes('verifier/handler.ts', { alias: {} });
  const replaced = unaliased - (await bundleBytes('verifier/handler.ts'));
  process.stdout.write(`${replaced} bytes: parts of the SDK that the verifier's bundle does without\n`);
}

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
  if (given === '') await printBundleSizes();
}
