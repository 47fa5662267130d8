import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BuildContext,
  type BuildFailure,
  type BuildOptions,
  type BuildResult,
  context,
  type Metafile,
  stop,
} from 'esbuild';
import { ConsoleProblem } from './problem.ts';

/** The files of the page. */
export interface PageAssets {
  /** The document, of the sources as they are now. `build` changes with them. */
  document(): Promise<{ body: Buffer; build: string }>;
  /** A file that the latest document, or the one before it, loads. */
  asset(name: string): { body: Buffer; type: string } | undefined;
  close(): Promise<void>;
}

const folder = fileURLToPath(new URL('../page/', import.meta.url));
const entries = { main: 'main.tsx', firstPaint: 'first-paint.ts', icon: 'icon.svg' } as const;

const options = {
  absWorkingDir: folder,
  entryPoints: Object.values(entries),
  outdir: '.',
  entryNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
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
 * Bundles the page in memory when it is requested first, and again at each later request of the document:
 * only what has changed is read again, so that a contributor just reloads.
 */
export function createPageAssets(): PageAssets {
  let bundler: Promise<BuildContext<typeof options>> | undefined;
  let latest: Assets = new Map();
  let previous: Assets = new Map();
  let isClosed = false;

  /** esbuild is a process of its own, which the system may end: another one takes its place. */
  async function rebuild(): Promise<BuildResult<typeof options>> {
    bundler ??= context(options);
    const own = bundler;
    try {
      return await (await own).rebuild();
    } catch (error) {
      if (isBuildFailure(error)) throw error;
      checkOpen();
      if (bundler === own) bundler = stop().then(() => context(options));
      return (await bundler).rebuild();
    }
  }

  /** Requests may still come in while the server stops. */
  function checkOpen(): void {
    if (isClosed) throw new ConsoleProblem(503, 'The console is stopping.');
  }

  return {
    async document() {
      checkOpen();
      const result = await rebuild();
      const assets = assetsOf(result);
      if ([...assets.keys()].join() !== [...latest.keys()].join()) [previous, latest] = [latest, assets];
      return { body: documentOf(result.metafile), build: buildOf(assets) };
    },
    asset: (name) => latest.get(name) ?? previous.get(name),
    async close() {
      isClosed = true;
      const opened = await bundler?.catch(() => undefined);
      await opened?.dispose();
    },
  };
}

/** The sources are wrong. */
const isBuildFailure = (error: unknown): error is BuildFailure => error instanceof Error && 'errors' in error;

function assetsOf({ outputFiles }: BuildResult<typeof options>): Assets {
  return new Map(
    outputFiles.map(({ path, contents }) => [
      basename(path),
      { body: Buffer.from(contents), type: types[extname(path)] ?? 'application/octet-stream' },
    ]),
  );
}

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
  const css = all.find(([, output]) => output.entryPoint === entries.main)?.[1].cssBundle ?? '';
  const address = (name: string): string => `/console/assets/${basename(name)}`;
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>payhooks</title>
<link rel="icon" type="image/svg+xml" href="${address(nameOf(entries.icon))}">
<script src="${address(nameOf(entries.firstPaint))}"></script>
<link rel="stylesheet" href="${address(css)}">
<script type="module" src="${address(nameOf(entries.main))}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console is a program in your browser: allow JavaScript for this address.</noscript>
</body>
</html>
`);
}
