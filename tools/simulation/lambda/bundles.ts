import { basename, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import { type Bug, edit, editPlugin } from '../bugs/bug.ts';

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
export type Loaded = Readonly<Record<Stage, LoadBundle>>;
export type Bundles = Versions<Loaded>;

export interface Versions<Code> {
  readonly today: Code;
  /** Today's code, but it reads payloads at other places. */
  readonly former: Code;
}

/** The text of every bundle. */
export type StageCode = Readonly<Record<Stage, string>>;

/** Of a version whose assumptions about payloads were corrected since. */
const formerPlaces = edit(
  'domain/payment-event.ts',
  'const value = path.reduce(',
  "const isFormer = isObject(payload) && 'former' in payload;\n" +
    "  const value = (isFormer ? ['former', ...path.slice(1)] : path).reduce(",
);

/** Both versions, as they are or with a deliberate bug. */
export const bundleVersions = async (edits: Bug['edits'] = []): Promise<Versions<StageCode>> => ({
  today: await bundleStages(edits),
  former: await bundleStages([formerPlaces, ...edits]),
});

const repository = join(import.meta.dirname, '..', '..', '..');

/** The functions as they are deployed, with the real SDK inside; only its HTTP handler is another one. */
async function bundleStages(edits: Bug['edits']): Promise<StageCode> {
  // Only here: a worker of the simulation that gets the bundles need not load the CDK.
  const { leanBundleOptions } = await import('../../../lib/lean-bundle.ts');
  const options = leanBundleOptions();
  const handlers = stages.map((stage) => [stage, join(repository, 'lambdas', stage, 'handler.ts')]);
  const { outputFiles } = await build({
    ...options,
    plugins: [editPlugin(edits)],
    entryPoints: Object.fromEntries(handlers),
    alias: {
      ...options.alias,
      '@smithy/node-http-handler': join(import.meta.dirname, 'simulated-http-handler.ts'),
    },
    outdir: repository,
    write: false,
    logLevel: 'warning',
  });
  const code = outputFiles.map(({ path, text }) => [basename(path, '.js'), text]);
  return Object.fromEntries(code) as StageCode;
}

/** Half-way through a deployment instances of both run. */
export const loadBundles = ({ today, former }: Versions<StageCode>): Bundles => ({
  today: loadStages(today),
  former: loadStages(former),
});

function loadStages(code: StageCode): Loaded {
  return Object.fromEntries(
    stages.map((stage) => {
      // One function, compiled once: each call of it is a fresh instance, with all of its state of its own.
      const load = compileFunction(code[stage], [...sandboxNames], { filename: `${stage}.js` });
      const loadBundle: LoadBundle = (sandbox) =>
        load.apply(
          undefined,
          sandboxNames.map((name) => sandbox[name]),
        );
      return [stage, loadBundle];
    }),
  ) as Loaded;
}
