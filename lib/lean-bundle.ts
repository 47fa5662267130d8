import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
  const entry = join(lambdas, stage, 'handler.ts');
  return Code.fromAsset(dirname(entry), {
    // The hash of the output, so that a function is only redeployed when its code has changed.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used: esbuild always runs in this process.
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle(outputDirectory) {
          bundle(entry, outputDirectory);
          return true;
        },
      },
    },
  });
}

/** How esbuild makes a bundle for Lambda. */
export const leanBundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ES module loads all of undici through `import 'node:http'`, which `require` does not.
  format: 'cjs',
  // The SDK is bundled from its ES modules: only they can be tree-shaken to the commands in use.
  mainFields: ['module', 'main'],
  minify: true,
  // Lambda never runs the SDK's credential chain (SSO, profiles, web identity); `npm run measure` prints its
  // size.
  alias: { '@aws-sdk/credential-provider-node': join(lambdas, 'aws', 'environment-credentials.ts') },
} satisfies BuildOptions;

/**
 * Writes `index.js` to the folder of an asset, and its source map beside the assets, so that it is not
 * deployed: `source-maps/<stage>.<beginning of the SHA-256 of index.js>.js.map`, for `bin/stack-trace.ts`.
 */
function bundle(entry: string, outputDirectory: string): void {
  const { outputFiles } = buildSync({
    ...leanBundleOptions,
    entryPoints: [entry],
    // No comment in the bundle names the map, so that the asset has the same hash without it.
    sourcemap: 'external',
    sourcesContent: false,
    // The map names its sources from here: the same on every machine.
    outfile: join(repository, 'index.js'),
    write: false,
    logLevel: 'warning',
  });
  const [map, code] = ['.map', '.js'].map((suffix) => outputFiles.find(({ path }) => path.endsWith(suffix)));
  if (map === undefined || code === undefined) throw new Error(`esbuild made no bundle of ${entry}.`);
  writeFileSync(join(outputDirectory, 'index.js'), code.contents);
  const folder = join(dirname(outputDirectory), 'source-maps');
  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256').update(code.contents).digest('hex').slice(0, 16);
  writeFileSync(join(folder, `${basename(dirname(entry))}.${hash}.js.map`), map.contents);
}
