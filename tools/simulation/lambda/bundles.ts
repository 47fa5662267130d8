import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import { leanBundleOptions } from '../../../lib/lean-bundle.ts';
import type { CodeVersion } from '../history.ts';

export const stages = [
  'verifier',
  'consumer',
  'order-feed',
  'order-query',
  'operations',
  'waiting-count',
] as const;
export type Stage = (typeof stages)[number];

/** What code of a bundle finds in its scope instead of Node's own. */
export const sandboxNames = [
  ...['exports', 'require', 'module', 'process', 'console', 'simulatedAws', 'crypto', 'performance', 'Math'],
  ...['Date', 'AbortSignal', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
  'fetch',
] as const;
export type Sandbox = Readonly<Record<(typeof sandboxNames)[number], unknown>>;

/** Evaluates the bundle in a sandbox: a new instance of the function. */
export type LoadBundle = (sandbox: Sandbox) => void;

export type Bundles = Readonly<Record<CodeVersion, Readonly<Record<Stage, LoadBundle>>>>;

const repository = join(import.meta.dirname, '..', '..', '..');

/**
 * The functions as they are deployed, with the real SDK inside; only the SDK's HTTP handler is another one.
 * `source` is the folder that holds `lambdas`.
 */
export async function bundleStages(source: string = repository): Promise<Record<Stage, LoadBundle>> {
  const loaded = stages.map(async (stage) => [stage, await bundleStage(source, stage)] as const);
  return Object.fromEntries(await Promise.all(loaded)) as Record<Stage, LoadBundle>;
}

async function bundleStage(source: string, stage: Stage): Promise<LoadBundle> {
  const { outputFiles } = await build({
    ...leanBundleOptions,
    entryPoints: [join(source, 'lambdas', stage, 'handler.ts')],
    alias: {
      ...leanBundleOptions.alias,
      '@smithy/node-http-handler': join(import.meta.dirname, 'simulated-http-handler.ts'),
    },
    write: false,
    logLevel: 'warning',
  });
  const [code] = outputFiles;
  if (code === undefined) throw new Error(`esbuild made no bundle of ${stage}.`);
  // One function, compiled once: each call of it is a fresh instance, with all of its state of its own.
  const load = compileFunction(code.text, [...sandboxNames], { filename: `${stage}.js` });
  return (sandbox) =>
    load.apply(
      undefined,
      sandboxNames.map((name) => sandbox[name]),
    );
}
