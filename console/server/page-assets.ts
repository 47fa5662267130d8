import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type BuildResult, build, type Metafile } from 'esbuild';

/** The files of the page. */
export interface PageAssets {
  /** The document, of the sources as they are now. `build` changes with them. */
  document(): Promise<{ body: Buffer; build: string }>;
  /** A file that a document loads. */
  asset(name: string): { body: Buffer; type: string } | undefined;
}

const pageFolder = fileURLToPath(new URL('../page/', import.meta.url));
const entries = { main: 'main.tsx', icon: 'icon.svg' } as const;

const options = {
  entryPoints: Object.values(entries),
  outdir: '.',
  entryNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: ['chrome123', 'firefox128', 'safari17.5'],
  loader: { '.svg': 'copy' },
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'silent',
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type Assets = ReadonlyMap<string, { readonly body: Buffer; readonly type: string }>;

/**
 * Bundles the page in memory when it is requested first, and again when it is requested after a file of its
 * folder has changed, so that a contributor just reloads.
 */
export function createPageAssets(folder = pageFolder): PageAssets {
  /** Also of earlier documents, which an open page may still load. */
  const all = new Map<string, { body: Buffer; type: string }>();
  let latest: { readonly stamp: string; readonly document: ReturnType<PageAssets['document']> } | undefined;

  async function makeDocument() {
    const { assets, document } = await bundlePage(folder);
    for (const [name, asset] of assets) all.set(name, asset);
    return document;
  }

  return {
    async document() {
      const stamp = stampOf(folder);
      if (latest?.stamp !== stamp) latest = { stamp, document: makeDocument() };
      return latest.document.catch((error: unknown) => {
        latest = undefined;
        throw error;
      });
    },
    asset: (name) => all.get(name),
  };
}

export async function bundlePage(folder = pageFolder) {
  const { metafile, outputFiles } = await build({ ...options, absWorkingDir: folder });
  const assets = assetsOf(outputFiles);
  const document = { body: documentOf(metafile), build: buildOf(assets) };
  return { document, assets, inputs: Object.keys(metafile.inputs).map((path) => join(folder, path)) };
}

/** Differs after each change of a file, also by a tool that keeps the time of its contents. */
const stampOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.ctimeMs)
    .join();

const assetsOf = (outputFiles: BuildResult<typeof options>['outputFiles']) =>
  new Map(
    outputFiles.map(({ path, contents }) => [
      basename(path),
      { body: Buffer.from(contents), type: types[extname(path)] ?? 'application/octet-stream' },
    ]),
  );

/** The names of the assets carry hashes of their contents. */
function buildOf(assets: Assets): string {
  return createHash('sha256')
    .update([...assets.keys()].sort().join())
    .digest('hex')
    .slice(0, 12);
}

function documentOf({ outputs }: Metafile): Buffer {
  const all = Object.entries(outputs);
  const nameOf = (entry: string): string => all.find(([, output]) => output.entryPoint === entry)?.[0] ?? '';
  const { cssBundle: css = '', imports = [] } = outputs[nameOf(entries.main)] ?? {};
  // What the program needs at once is not found only when it has arrived.
  const needed = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  const address = (name: string): string => `/console/assets/${basename(name)}`;
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>payhooks</title>
<link rel="icon" type="image/svg+xml" href="${address(nameOf(entries.icon))}">
<link rel="stylesheet" href="${address(css)}">
${needed.map((name) => `<link rel="modulepreload" href="${address(name)}">`).join('\n')}
<script type="module" src="${address(nameOf(entries.main))}"></script>
</head>
<body>
<div id="root"><p class="content muted">Loading payhooks …</p></div>
<noscript>The console is a program in your browser: allow JavaScript for this address.</noscript>
</body>
</html>
`);
}
