import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { leanBundleOptions } from '../../lib/lean-bundle.ts';
import { coldStartRows, coldStartTable, measureColdStarts } from './cold-start.ts';
import { countBaseline } from './counts.ts';
import { baselineTable } from './dollars.ts';
import { localModeTable, measureLocalMode } from './local-mode.ts';
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

/** Every stage with a handler. */
export const stages = readdirSync(lambdas).filter((name) =>
  readdirSync(join(lambdas, name)).includes('handler.ts'),
);

/** The size of each bundle in the order of `stages`; with the whole SDK when `alias` is empty. */
export async function bundleBytes(alias?: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const entryPoints = Object.fromEntries(stages.map((stage) => [stage, join(lambdas, stage, 'handler.ts')]));
  const options = { ...leanBundleOptions, ...(alias && { alias }), entryPoints };
  const { outputFiles } = await build({ ...options, outdir: lambdas, write: false });
  return stages.map(
    (stage) => outputFiles.find(({ path }) => basename(path) === `${stage}.js`)?.contents.length ?? 0,
  );
}

async function bundleTable(): Promise<string> {
  const [lean, whole] = [await bundleBytes(), await bundleBytes({})];
  const rows = stages.map((stage, index) => [stage, lean[index] ?? 0, whole[index] ?? 0]);
  return table('bundle | bytes | with the whole SDK', rows);
}

/** What `npm run benchmark` prints, by the name that it takes. */
export const tables: Readonly<Record<string, () => Promise<string>>> = {
  'cold-start': () =>
    withStack(async (stack) => coldStartTable(coldStartRows(await measureColdStarts(stack, rounds)))),
  warm: () => withStack(async (stack) => warmTable(await measureWarmCalls(stack))),
  verifier: async () => verifierTable(await measureVerifier()),
  bundles: bundleTable,
  cost: async () => baselineTable(await countBaseline()),
  local: async () => localModeTable(await measureLocalMode()),
};
