import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import type { PackedPage } from '../../console/server/packed-page.ts';
import { bundlePage } from '../../console/server/page-assets.ts';
import { wholeSdkOptions } from '../../lib/lean-bundle.ts';

export const repository = join(import.meta.dirname, '..', '..');

/** What a package has in place of modules that bundle with esbuild when they are used. */
const packed: Readonly<Record<string, string>> = {
  'lean-bundle.ts': 'lib/packed-functions.ts',
  'page-assets.ts': 'console/server/packed-page.ts',
};

const bundledBefore: Plugin = {
  name: 'bundled-before',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(lean-bundle|page-assets)\.ts$/ }, ({ path }) => ({
      path: join(repository, packed[basename(path)] ?? path),
    })),
};

/**
 * The schemas of a client of the SDK name their properties by constants, which keeps every schema in a
 * bundle: esbuild takes `{ [_name]: 0 }` for code that may do something, and `{ ["Name"]: 0 }` not.
 */
const onlyUsedSchemas: Plugin = {
  name: 'only-used-schemas',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/@aws-sdk\/.*\/schemas_\d+\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const texts = new Map(
        [...text.matchAll(/^const (_\w+) = ("[^"]*");$/gm)].map(([, name, value]) => [name, value]),
      );
      return { contents: text.replaceAll(/\[(_\w+)\](?=:)/g, (_, name) => `[${texts.get(name) ?? name}]`) };
    }),
};

/** What programs read of our manifest: the version, and those of what `payhooks init` names. */
const readKeys = [
  ...['version', 'dependencies', 'aws-cdk', 'aws-cdk-lib', 'constructs'],
  ...['devDependencies', 'typescript', '@types/node'],
];

const ownVersions: Plugin = {
  name: 'own-versions',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/package\.json$/ }, ({ path }) => {
      if (path !== join(repository, 'package.json')) return undefined;
      return { contents: JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), readKeys), loader: 'json' };
    }),
};

/** Bundles a program of this repository for a package; returns the files that are in the bundle. */
export async function bundle(options: BuildOptions): Promise<readonly string[]> {
  const { metafile } = await build({
    bundle: true,
    platform: 'node',
    absWorkingDir: repository,
    plugins: [bundledBefore, onlyUsedSchemas, ownVersions],
    ...{ minifyWhitespace: true, minifySyntax: true, minifyIdentifiers: true },
    logLevel: 'warning',
    ...options,
    metafile: true,
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).map((path) => join(repository, path)),
  );
}

/** As ES modules in one folder, of which each loads when it is needed. */
export const bundleProgram = (entryPoint: string, options: BuildOptions) =>
  bundle({
    entryPoints: [entryPoint],
    format: 'esm',
    splitting: true,
    // ES modules can be tree-shaken.
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    // Some dependencies are CommonJS.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    ...options,
    external: [...wholeSdkOptions.external, ...(options.external ?? [])],
  });

/** The page and the runbook, where the server of the console finds them; returns the files in the page. */
export async function writeConsole(folder: string): Promise<readonly string[]> {
  const { document, assets, inputs } = await bundlePage();
  const texts = [...assets].map(([name, { body, type }]) => [name, { body: body.toString(), type }]);
  const page: PackedPage = { ...document, body: document.body.toString(), assets: Object.fromEntries(texts) };
  writeFileSync(join(folder, 'dist', 'console-page.json'), JSON.stringify(page));
  mkdirSync(join(folder, 'docs'));
  copyFileSync(join(repository, 'docs', 'runbook.md'), join(folder, 'docs', 'runbook.md'));
  return inputs;
}
