import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Where the assemblies of earlier syntheses are kept, and what they depend on. */
export interface Keeping {
  /** Holds nothing else. */
  readonly directory: string;
  /** Every file and folder that the app and its bundles are made of, relative to the project. */
  readonly sources: readonly string[];
  /**
   * The folders of installed packages that the app and its bundles import, relative to the project. They are
   * too large to read: size and time of change stand for the content of a file. Packages inside them are left
   * out unless they are named too.
   */
  readonly packages?: readonly string[];
}

/** Variations of settings, and branches that a developer goes back to. */
const assembliesMax = 12;
const digestFile = 'digest.json';

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** Of everything that decides what is synthesised: the sources, the packages, and `given`. */
export async function hashInputs(project: string, keep: Keeping, given: unknown): Promise<string> {
  const { sources, packages = [] } = keep;
  const lists = sources.map((source) => filesIn(join(project, source)));
  const files = (await Promise.all(lists)).flat();
  const read = files.map(async (file) => [relative(project, file), sha256(await readFile(file))]);
  const installed = packages
    .map((folder) => join(project, folder))
    .filter((folder) => existsSync(folder))
    .map((folder) => sha256(stampsIn(folder).join('\n')));
  return sha256(JSON.stringify([given, process.version, process.arch, await Promise.all(read), installed]));
}

/** Declarations, C headers, source maps and prose: more than half of all files, and none of it runs. */
const inert = /\.(d\.[cm]?ts|h|map|md)$/;

/** Synchronous: for tens of thousands of files, that is half the work. */
function stampsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : stampsIn(path);
    if (inert.test(entry.name)) return [];
    const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return [`${path} ${size} ${mtimeMs}`];
  });
}

/** Writes the assembly of these inputs into a folder; `false` when none is kept, or it is damaged. */
export async function restoreAssembly({ directory }: Keeping, hash: string, into: string): Promise<boolean> {
  const kept = join(directory, hash);
  try {
    const digests: Record<string, string> = JSON.parse(await readFile(join(kept, digestFile), 'utf8'));
    const copied = Object.entries(digests).map(async ([name, digest]) => {
      const content = await readFile(join(kept, name));
      if (sha256(content) !== digest) throw new Error(`${name} is damaged.`);
      await write(join(into, name), content);
    });
    await Promise.all(copied);
    await utimes(kept, new Date(), new Date());
    return true;
  } catch {
    // What it cannot remove it cannot replace either.
    await rm(kept, { recursive: true, force: true }).catch(() => {});
    for (const name of await readdir(into)) await rm(join(into, name), { recursive: true });
    return false;
  }
}

/** Keeps an assembly. Rejects when the folder cannot be written to. */
export async function keepAssembly({ directory }: Keeping, hash: string, from: string): Promise<void> {
  const unfinished = join(directory, `unfinished-${randomUUID()}`);
  try {
    const copied = (await filesIn(from)).map(async (file): Promise<[string, string]> => {
      const [name, content] = [relative(from, file), await readFile(file)];
      await write(join(unfinished, name), content);
      return [name, sha256(content)];
    });
    const digests = Object.fromEntries(await Promise.all(copied));
    await write(join(unfinished, digestFile), JSON.stringify(digests));
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

async function write(file: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** All files in a folder, in a fixed order, also behind links; a file itself; nothing if neither exists. */
async function filesIn(path: string, outer: readonly string[] = []): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  const place = await realpath(path);
  // A link to a folder that it is in.
  if (outer.includes(place)) return [];
  const names = (await readdir(path)).filter((name) => name !== 'node_modules').toSorted();
  const inner = names.map((name) => filesIn(join(path, name), [...outer, place]));
  return (await Promise.all(inner)).flat();
}
