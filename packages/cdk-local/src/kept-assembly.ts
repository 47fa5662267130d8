import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { cp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the assemblies of earlier syntheses are kept, and what they depend on. */
export interface Keeping {
  /** Holds nothing else. */
  readonly directory: string;
  /** Every file and folder that the app and its bundles are made of, relative to the project. */
  readonly sources: readonly string[];
  /**
   * The folders of installed packages that the app and its bundles import, relative to the project. Packages
   * inside them are left out unless they are named too.
   */
  readonly packages?: readonly string[];
}

/** Variations of settings, and branches that a developer goes back to. */
const assembliesMax = 12;

/**
 * Of everything that decides what is synthesised: the sources, the packages, and `given`. Size and time of
 * change stand for the content of a file: a checkout that changes only the time costs one synthesis.
 */
export function hashInputs(project: string, keep: Keeping, given: unknown): string {
  const paths = [...keep.sources, ...(keep.packages ?? [])];
  const stamps = paths.map((path) => [path, stampsIn(join(project, path))]);
  const inputs = [given, process.version, process.arch, stamps];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

/** Declarations, C headers, source maps and prose: more than half of all files, and none of it runs. */
const inert = /\.(d\.[cm]?ts|h|map|md)$/;

/** Of one file or all in a folder. Synchronous: for tens of thousands of files, that is half the work. */
function stampsIn(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  if (!isFolder) return [stampOf(path)];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || inert.test(entry.name)) return [];
    const inner = join(path, entry.name);
    return entry.isDirectory() ? stampsIn(inner) : [stampOf(inner)];
  });
}

function stampOf(path: string): string {
  const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${path} ${size} ${mtimeMs}`;
}

/** Writes the assembly of these inputs into a folder; `false` when none is kept. */
export async function restoreAssembly({ directory }: Keeping, hash: string, into: string): Promise<boolean> {
  const kept = join(directory, hash);
  try {
    await utimes(kept, new Date(), new Date());
    await cp(kept, into, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

/** Keeps an assembly. Rejects when the folder cannot be written to. */
export async function keepAssembly({ directory }: Keeping, hash: string, from: string): Promise<void> {
  const unfinished = join(directory, `unfinished-${randomUUID()}`);
  try {
    await cp(from, unfinished, { recursive: true });
    // At once: another process that reads it finds all of it or nothing.
    await rename(unfinished, join(directory, hash));
    await dropOldest(directory);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function dropOldest(directory: string): Promise<void> {
  const names = await readdir(directory);
  const dated = names.map(async (name) => ({ name, at: (await stat(join(directory, name))).mtimeMs }));
  const newestFirst = (await Promise.all(dated)).toSorted((one, other) => other.at - one.at);
  for (const { name } of newestFirst.slice(assembliesMax))
    await rm(join(directory, name), { recursive: true, force: true });
}
