// Writes dist/, or the folder that is given: one bundle for `import` and one for `require`, each with its
// types, and the documents.
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import './generate-types.ts';

const documents = ['openapi.json', 'operations.openapi.json', 'order-status-changed.schema.json'];

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));
process.chdir(import.meta.dirname);
rmSync(folder, { recursive: true, force: true });
for (const format of ['esm', 'cjs'] as const) {
  const outdir = join(folder, format);
  buildSync({
    entryPoints: ['src/index.ts'],
    outdir,
    format,
    bundle: true,
    platform: 'node',
    target: 'node20',
    packages: 'external',
  });
  execFileSync('npx', ['tsc', '--project', 'tsconfig.build.json', '--outDir', outdir], { stdio: 'inherit' });
}
writeFileSync(join(folder, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
for (const name of documents) copyFileSync(`../../docs/${name}`, join(folder, name));
