import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type BuildResult, build, type Metafile, stop } from 'esbuild';
import { ConsoleProblem } from './problem.ts';

/** The files of the page. */
export interface PageAssets {
  /** The document, of the sources as they are now. `build` changes with them. */
  document(): Promise<{ body: Buffer; build: string }>;
  /** A file that the latest document, or the one before it, loads. */
  asset(name: string): { body: Buffer; type: string } | undefined;
  close(): Promise<void>;
}

const pageFolder = fileURLToPath(new URL('../page/', import.meta.url));
const entries = { main: 'main.tsx', icon: 'icon.svg' } as const;

const options = {
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

/** A bundle, and what its sources were before it was made. */
interface Bundle {
  readonly body: Buffer;
  readonly build: string;
  readonly sources: readonly string[];
  readonly stamp: string;
}

/**
 * Bundles the page in memory when it is requested first, and again when it is requested after a source has
 * changed, so that a contributor just reloads.
 */
export function createPageAssets(folder = pageFolder): PageAssets {
  let latest: Assets = new Map();
  let previous: Assets = new Map();
  let isClosed = false;
  let current: Promise<Bundle | undefined> = Promise.resolve(undefined);

  async function bundleAfter(last: Bundle | undefined): Promise<Bundle> {
    // Requests may still come in while the server stops.
    if (isClosed) throw new ConsoleProblem(503, 'The console is stopping.');
    const stamp = stampOf((last?.sources ?? []).map((source) => join(folder, source)));
    if (last !== undefined && stamp === last.stamp) return last;
    const result = await bundle(folder);
    const assets = assetsOf(result);
    if ([...assets.keys()].join() !== [...latest.keys()].join()) [previous, latest] = [latest, assets];
    const { inputs } = result.metafile;
    return { body: documentOf(result.metafile), build: buildOf(assets), sources: Object.keys(inputs), stamp };
  }

  return {
    /** One request after the other: esbuild would give two requests one bundle, older than the second one. */
    async document() {
      const last = current;
      const next = last.then(bundleAfter);
      current = next.catch(() => last);
      return next;
    },
    asset: (name) => latest.get(name) ?? previous.get(name),
    async close() {
      isClosed = true;
    },
  };
}

/** esbuild is a process of its own, which the system may end: another one takes its place. */
async function bundle(absWorkingDir: string): Promise<BuildResult<typeof options>> {
  try {
    return await build({ ...options, absWorkingDir });
  } catch (error) {
    // The sources are wrong.
    if (error instanceof Error && 'errors' in error) throw error;
    await stop();
    return build({ ...options, absWorkingDir });
  }
}

/**
 * Differs after each change of a file, also by a tool that keeps the time of its contents. It is taken before
 * a build, which may miss a later change. The first build has none: a second one follows.
 */
const stampOf = (files: readonly string[]): string =>
  files.map((file) => statSync(file, { throwIfNoEntry: false })?.ctimeMs).join();

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
