import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

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

/** The functions of the baseline. */
export async function bundleBaseline() {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-baseline-'));
  const entryPoints = ['receive', 'record'].map((name) => join(import.meta.dirname, `functions/${name}.ts`));
  await build({ ...usualOptions, entryPoints, outdir: folder, outExtension: { '.js': '.mjs' } });
  return { folder, receive: join(folder, 'receive.mjs'), record: join(folder, 'record.mjs') };
}
