import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledStages, writeBundle } from '../../lib/lean-bundle.ts';
import { bundle, bundleProgram, repository, writeConsole } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { licencesOf } from './licences.ts';

const read = (file: string): string => readFileSync(join(repository, file), 'utf8');
const { version, description, license } = JSON.parse(read('package.json'));
/** `private`, so that npm refuses to publish it: that waits for the owner's licence. */
const ours = { version, private: true, license };

/** Each writes what a package holds to an empty folder, without its manifest, which it returns. */
export const packages = { payhooks, local, 'order-client': orderClient };

const peerDependencies = { 'aws-cdk-lib': '^2.239.0', constructs: '^10.5.0' };

async function payhooks(folder: string): Promise<object> {
  const construct = await bundle({
    ...{ entryPoints: { index: 'lib/index.ts' }, outdir: join(folder, 'dist') },
    ...{ format: 'cjs', target: 'node20', external: Object.keys(peerDependencies) },
    // Its stack traces are read by those who call it.
    keepNames: true,
    define: { 'import.meta.dirname': '__dirname' },
  });
  const functions = writeFunctions(join(folder, 'dist', 'functions'));
  writeDeclarations(join(folder, 'dist', 'types'), Object.keys(peerDependencies));
  const cli = await bundleProgram('cli/payhooks.ts', {
    ...{ outdir: join(folder, 'dist', 'cli'), target: 'node22' },
  });
  const page = await writeConsole(folder);
  mkdirSync(join(folder, 'bin'));
  copyFileSync(join(repository, 'cli', 'packed.cjs'), join(folder, 'bin', 'payhooks.cjs'));
  writeFileSync(join(folder, 'README.md'), readme());
  writeLicences(folder, [...construct, ...functions, ...cli, ...page]);
  const [types, main] = ['./dist/types/lib/index.d.ts', './dist/index.js'];
  return {
    ...{ name: 'payhooks', description, ...ours, engines: { node: '>=20' }, peerDependencies },
    ...{ main, types, bin: { payhooks: './bin/payhooks.cjs' } },
    exports: { '.': { types, default: main }, './package.json': './package.json' },
  };
}

/** What is true without the documents and pictures of the repository, to which the rest of it links. */
function readme(): string {
  const whole = read('README.md');
  const [introduction = ''] = whole.split('```sh');
  const [example = ''] = /```ts.*?```/s.exec(whole) ?? [];
  return `${introduction}\`npx payhooks init\` makes a project; in your own CDK app:\n\n${example}\n`;
}

/** Returns the files that are in the functions. Their source maps are not packed. */
function writeFunctions(folder: string): readonly string[] {
  for (const stage of bundledStages()) {
    mkdirSync(join(folder, stage), { recursive: true });
    writeBundle(stage, join(folder, stage));
  }
  const maps = join(folder, '..', '..', '..', 'source-maps');
  rmSync(maps, { recursive: true, force: true });
  renameSync(join(folder, 'source-maps'), maps);
  return globSync('*.js.map', { cwd: maps }).flatMap((map) =>
    JSON.parse(readFileSync(join(maps, map), 'utf8')).sources.map((path: string) => join(repository, path)),
  );
}

async function local(folder: string): Promise<object> {
  const { dependencies } = JSON.parse(read('packages/cdk-local/package.json'));
  const emulators = { dynalite: dependencies.dynalite, fauxqs: dependencies.fauxqs };
  const files = await bundleProgram('local/start.ts', {
    ...{ outdir: join(folder, 'dist', 'local'), target: 'node24', external: Object.keys(emulators) },
  });
  // The inside of a function's thread.
  const thread = 'bootstrap.mjs';
  copyFileSync(
    join(repository, 'packages/cdk-local/src/functions', thread),
    join(folder, 'dist/local', thread),
  );
  writeLicences(folder, [...files, ...(await writeConsole(folder))]);
  return {
    ...{ name: '@payhooks/local', description: 'Local mode of payhooks.', ...ours, type: 'module' },
    ...{ engines: { node: '>=24' }, dependencies: emulators },
    exports: { '.': './dist/local/start.mjs', './package.json': './package.json' },
  };
}

async function orderClient(folder: string): Promise<object> {
  const source = join(repository, 'packages', 'order-client');
  execFileSync(process.execPath, ['build.ts', join(folder, 'dist')], { cwd: source, stdio: 'inherit' });
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'));
  const { scripts, devDependencies, ...manifest } = JSON.parse(read('packages/order-client/package.json'));
  const documents = ['openapi.json', 'operations.openapi.json', 'order-status-changed.schema.json'];
  const [esm, cjs] = [buildIn('esm'), buildIn('cjs')];
  return {
    ...manifest,
    exports: {
      '.': { import: esm, require: cjs },
      ...Object.fromEntries(documents.map((name) => [`./${name}`, `./dist/${name}`])),
      './package.json': './package.json',
    },
    ...{ main: cjs.default, types: cjs.types, files: ['dist'] },
  };
}
const buildIn = (format: string) => ({
  types: `./dist/${format}/index.d.ts`,
  default: `./dist/${format}/index.js`,
});

const writeLicences = (folder: string, files: readonly string[]): void =>
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), licencesOf(files));
