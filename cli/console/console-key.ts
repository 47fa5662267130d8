import { randomBytes } from 'node:crypto';
import { constants, link, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../../operator/operator-error.ts';

/**
 * The key of this user's consoles, made at the first start: a browser that has it once opens every later
 * console of this user.
 */
export async function readConsoleKey(env: NodeJS.ProcessEnv): Promise<string> {
  const file = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'payhooks', 'console-key');
  try {
    return (await createKey(file)) ?? (await readKey(file));
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const message =
      `The key of the console cannot be kept in ${file} (${reason}). ` +
      'Set XDG_CACHE_HOME to a folder that you can write to.';
    throw new CommandError('failed', message, { cause });
  }
}

/**
 * `undefined` when there is one. The file appears with the key in it: neither a start at the same time nor
 * one after a full disk finds it empty.
 */
async function createKey(file: string): Promise<string | undefined> {
  const key = randomBytes(32).toString('base64url');
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx' });
    await link(draft, file);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Where others can write, the file may be theirs, a pipe that never ends, or change between two looks. */
async function readKey(file: string): Promise<string> {
  await using opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await opened.stat();
  // Windows has no such modes, and keeps the folder of a user from others.
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  const isPrivate = process.platform === 'win32' || (stats.mode & 0o077) === 0;
  const isKept = stats.isFile() && isOwn && isPrivate && stats.size <= 100;
  const key = isKept ? (await opened.readFile('utf8')).trim() : '';
  if (/^[\w-]{43}$/.test(key)) return key;
  const message = `${file} is no file with a key that only you can read. Delete it; a new key is made.`;
  throw new CommandError('failed', message);
}
