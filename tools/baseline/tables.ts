import { readdirSync } from 'node:fs';
import { join } from 'node:path';
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

/** The size of a bundle; without the replaced parts of the SDK when `alias` is empty. */
export async function bundleBytes(stage: string, alias?: Readonly<Record<string, string>>): Promise<number> {
  const entryPoints = [join(lambdas, stage, 'handler.ts')];
  const options = { ...leanBundleOptions, ...(alias && { alias }), entryPoints };
  const { outputFiles } = await build({ ...options, write: false });
  return outputFiles[0]?.contents.length ?? 0;
}

async function bundleTable(): Promise<string> {
  const rows = stages.map(async (stage) => [stage, await bundleBytes(stage), await bundleBytes(stage, {})]);
  return table('bundle | bytes | with the whole SDK', await Promise.all(rows));
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
