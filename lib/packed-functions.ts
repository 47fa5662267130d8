import { join } from 'node:path';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';

/** In the package, in place of `lean-bundle.ts`: the code of a stage, bundled when the package was built. */
export const leanBundle = (stage: string): AssetCode =>
  Code.fromAsset(join(import.meta.dirname, 'functions', stage));
