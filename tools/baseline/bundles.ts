import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleFileOf, leanBundleOptions } from '../../lib/lean-bundle.ts';

const repository = join(import.meta.dirname, '..', '..');

/** How most people bundle for Lambda: one minified ES module with the SDK. */
const usualOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  // Some packages still call `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
} satisfies BuildOptions;

/** The two functions of each pipeline that a webhook passes through. */
export async function bundlePipelines() {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-bundles-'));
  const bundle = async (entry: string, outfile: string, options: BuildOptions): Promise<string> => {
    const file = join(folder, outfile);
    await build({ ...options, entryPoints: [join(repository, entry)], outfile: file });
    return file;
  };
  const own = (stage: string) =>
    bundle(`lambdas/${stage}/handler.ts`, `${stage}/${bundleFileOf(stage)}`, leanBundleOptions);
  const usual = (name: string) => bundle(`tools/baseline/functions/${name}.ts`, `${name}.mjs`, usualOptions);
  const start = join(dirname(await own('verifier')), 'index.mjs');
  copyFileSync(join(repository, 'lambdas', 'verifier', 'index.mjs'), start);
  return {
    folder,
    payhooks: { receive: start, record: await own('consumer') },
    baseline: { receive: await usual('receive'), record: await usual('record') },
  };
}
