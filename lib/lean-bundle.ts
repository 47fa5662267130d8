import { dirname, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const lambdas = join(import.meta.dirname, '..', 'lambdas');

/**
 * The code of a stage, `lambdas/<stage>/handler.ts`, as one small CommonJS file.
 *
 * CDK's NodejsFunction makes the same bundle, but starts `npx` for each function, and local mode waits for
 * that at every start.
 */
export function leanBundle(stage: string): AssetCode {
  const entry = join(lambdas, stage, 'handler.ts');
  return Code.fromAsset(dirname(entry), {
    // The hash of what comes out, so that a function is only redeployed when its code has changed.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never started: esbuild runs in this process, here and in every pipeline.
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
  // The SDK is bundled, and from its ES modules: only they can be shaken down to the commands in use.
  mainFields: ['module', 'main'],
  minify: true,
  // Lambda never runs the SDK's credential chain (SSO, profiles, web
  // identity): `npm run measure` has its size.
  alias: { '@aws-sdk/credential-provider-node': join(lambdas, 'aws', 'environment-credentials.ts') },
} satisfies BuildOptions;

function bundle(entry: string, outfile: string): void {
  buildSync({ ...leanBundleOptions, entryPoints: [entry], outfile, logLevel: 'warning' });
}
