import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { environmentCredentials, leanAwsSdkOptions } from '@payhooks/lean-aws-sdk';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const repository = join(import.meta.dirname, '..');
const lambdas = join(repository, 'lambdas');

/**
 * The code of a stage, `lambdas/<stage>/handler.ts`, as one small CommonJS file.
 *
 * CDK's NodejsFunction makes the same bundle, but runs `npx` once per function, which delays every start of
 * local mode.
 */
export function leanBundle(stage: string): AssetCode {
  return Code.fromAsset(join(lambdas, stage), {
    // The hash of the output, so that a function is only redeployed when its code has changed.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used: esbuild always runs in this process.
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle(outputDirectory) {
          writeBundle(stage, outputDirectory);
          return true;
        },
      },
    },
  });
}

/**
 * The bundle in an asset. The handler is always `index.handler`: Lambda looks in `index.js`, then in
 * `index.mjs`. So the bundle has another name in a stage with an `index.mjs`, in which it prepares itself.
 * Another handler would not do: Lambda changes the code and the handler of a function at two moments, and
 * between them the old code has no handler of a new name, or the new code none of the old.
 */
export const bundleFileOf = (stage: string): string => (hasStart(stage) ? 'bundle.cjs' : 'index.js');

const startOf = (stage: string): string => join(lambdas, stage, 'index.mjs');
const hasStart = (stage: string): boolean => existsSync(startOf(stage));

/** How esbuild makes a bundle for Lambda, with nothing of the SDK replaced. */
const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ES module loads all of undici through `import 'node:http'`, which `require` does not.
  format: 'cjs',
  // The SDK is bundled from its ES modules: only they can be tree-shaken to the parts in use.
  mainFields: ['module', 'main'],
  minify: true,
  // As a call of `require`, or else the SDK's `import('node:http')`, for endpoints without TLS, loads undici.
  supported: { 'dynamic-import': false },
} satisfies BuildOptions;

/** Of a function that starts while its caller waits. */
export const leanBundleOptions = () => ({ ...bundleOptions, ...leanAwsSdkOptions() });

/**
 * Of the self-check, which has the code of the operator's commands: it calls services whose clients have no
 * lean parts, and no request waits for its cold start.
 */
export const wholeSdkOptions = {
  ...bundleOptions,
  alias: environmentCredentials,
  // Reads what browsers send, and is never loaded.
  external: ['bowser'],
};
const usesWholeSdk = (handler: string): boolean => dirname(handler) === 'self-check';

/** The path of each stage's handler in `lambdas/`. */
const handlers = (): string[] => globSync('*/handler.ts', { cwd: lambdas }).sort();
export const bundledStages = (): string[] => handlers().map(dirname);

/** What esbuild made of all stages, by file name. */
let bundled: ReadonlyMap<string, Uint8Array> | undefined;

/**
 * All stages at once, each as it would be alone: most of their modules are the same, and are parsed once.
 * With `PAYHOOKS_BUNDLED_SDK=whole`, all have the SDK as AWS publishes it.
 */
function bundleAll(): ReadonlyMap<string, Uint8Array> {
  const { PAYHOOKS_BUNDLED_SDK: sdk = 'lean' } = process.env;
  if (sdk === 'whole') return filesOf(handlers(), bundleOptions);
  if (sdk !== 'lean') throw new Error(`PAYHOOKS_BUNDLED_SDK is ${sdk}; expected lean or whole.`);
  const [whole = [], lean = []] = [true, false].map((isWhole) =>
    handlers().filter((handler) => usesWholeSdk(handler) === isWhole),
  );
  return new Map([...filesOf(lean, leanBundleOptions()), ...filesOf(whole, wholeSdkOptions)]);
}

function filesOf(handlers: readonly string[], options: BuildOptions): ReadonlyMap<string, Uint8Array> {
  const { outputFiles } = buildSync({
    ...options,
    entryPoints: Object.fromEntries(handlers.map((file) => [dirname(file), join(lambdas, file)])),
    // No comment in the bundle names the map, so that the asset has the same hash without it.
    sourcemap: 'external',
    sourcesContent: false,
    // The map names its sources from here: the same on every machine.
    outdir: repository,
    write: false,
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
}

/**
 * Writes the bundle to the folder of an asset, and its source map outside the assets, so that it is not
 * deployed: `source-maps/<stage>.<beginning of the SHA-256 of the bundle>.js.map`, for `bin/stack-trace.ts`.
 */
export function writeBundle(stage: string, outputDirectory: string): void {
  bundled ??= bundleAll();
  const [code, map] = [bundled.get(`${stage}.js`), bundled.get(`${stage}.js.map`)];
  if (map === undefined || code === undefined) throw new Error(`esbuild made no bundle of ${stage}.`);
  writeFileSync(join(outputDirectory, bundleFileOf(stage)), code);
  if (hasStart(stage)) copyFileSync(startOf(stage), join(outputDirectory, 'index.mjs'));
  const folder = join(dirname(outputDirectory), 'source-maps');
  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  writeFileSync(join(folder, `${stage}.${hash}.js.map`), map);
}
