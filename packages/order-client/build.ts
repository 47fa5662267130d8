// Writes dist/: one bundle for `import` and one for `require`, each with its types, and the documents.
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import './generate-types.ts';

const documents = ['openapi.json', 'operations.openapi.json', 'order-status-changed.schema.json'];

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
for (const format of ['esm', 'cjs'] as const) {
  const outdir = `dist/${format}`;
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
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
for (const name of documents) copyFileSync(`../../docs/${name}`, `dist/${name}`);
