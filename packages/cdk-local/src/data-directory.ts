import { access, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The folder cannot be used; the message names the folder and the reason. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/**
 * Opens a folder for this process alone, and creates it when it does not exist. Rejects with a
 * `DataDirectoryError` when it is not a folder, cannot be written to, or is in use.
 */
export async function openDataDirectory(path: string) {
  const directory = resolve(path);
  await makeDirectory(directory);
  const lock = await takeLock(directory);
  return {
    directory,
    /** Lets another process use the folder. The end of this process releases it too, even `kill -9`. */
    release: () => lock.close(),
  };
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if (!(await stat(directory)).isDirectory()) throw new Error('not a directory');
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EEXIST: 'it is a file, not a folder',
      ENOTDIR: 'a part of the path is a file, not a folder',
      EACCES: 'no permission to write there',
      EROFS: 'the file system is read-only',
    };
    const reason = reasons[code ?? ''] ?? String((cause as Error).message);
    throw new DataDirectoryError(`The data directory ${directory} cannot be used: ${reason}.`, { cause });
  }
}

const sqliteBusy = 5;

/**
 * The lock is SQLite's on an otherwise empty file, so the operating system drops it with the process. A file
 * with a process id in it would need a guess whether that process is still the same one.
 */
async function takeLock(directory: string): Promise<DatabaseSync> {
  const holderFile = join(directory, 'holder.pid');
  const lock = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== sqliteBusy) throw cause;
    const holder = await readFile(holderFile, 'utf8').catch(() => 'unknown');
    throw new DataDirectoryError(
      `The data directory ${directory} is in use by the process ${holder.trim()}. ` +
        'End that process first, or choose another folder.',
      { cause },
    );
  }
  await writeFile(holderFile, `${process.pid}\n`);
  return lock;
}
