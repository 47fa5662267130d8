/** `npm run benchmark -- [cold-start|warm|verifier|bundles]`: prints the tables of `docs/performance.md`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { leanBundleOptions } from '../../lib/lean-bundle.ts';
import { coldStartRows, coldStartTable, measureColdStarts } from './cold-start.ts';
import { table } from './measurements.ts';
import { startStack } from './stack.ts';
import { measureVerifier, verifierTable } from './verifier-cpu.ts';
import { measureWarmCalls, warmTable } from './warm.ts';

const rounds = 21;
const lambdas = join(import.meta.dirname, '..', '..', 'lambdas');

async function withStack<T>(
  measure: (stack: Awaited<ReturnType<typeof startStack>>) => Promise<T>,
): Promise<T> {
  const stack = await startStack();
  try {
    return await measure(stack);
  } finally {
    await stack.stop();
  }
}

async function bundleSizes(): Promise<string> {
  const stages = readdirSync(lambdas).filter((name) =>
    readdirSync(join(lambdas, name)).includes('handler.ts'),
  );
  const size = async (stage: string, options: object): Promise<number> => {
    const entryPoints = [join(lambdas, stage, 'handler.ts')];
    const { outputFiles } = await build({ ...leanBundleOptions, ...options, entryPoints, write: false });
    return outputFiles[0]?.contents.length ?? 0;
  };
  const rows = stages.map(async (stage) => [stage, await size(stage, {}), await size(stage, { alias: {} })]);
  return table('bundle | bytes | with the whole SDK', (await Promise.all(rows)) as (string | number)[][]);
}

const tables: Readonly<Record<string, () => Promise<string>>> = {
  'cold-start': () =>
    withStack(async (stack) => coldStartTable(coldStartRows(await measureColdStarts(stack, rounds)))),
  warm: () => withStack(async (stack) => warmTable(await measureWarmCalls(stack))),
  verifier: async () => verifierTable(await measureVerifier()),
  bundles: bundleSizes,
};

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
