import { dirname, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const lambdas = join(import.meta.dirname, '..', 'lambdas');

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
          bundle(entry, join(outputDirectory, 'index.js'));
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

function bundle(entry: string, outfile: string): void {
  buildSync({ ...leanBundleOptions, entryPoints: [entry], outfile, logLevel: 'warning' });
}
