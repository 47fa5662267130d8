import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../command-error.ts';

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
    throw new CommandError('failed', `The key of the console cannot be kept in ${file} (${reason}).`, {
      cause,
    });
  }
}

/** `undefined` when there is one. */
async function createKey(file: string): Promise<string | undefined> {
  const key = randomBytes(32).toString('base64url');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

async function readKey(file: string): Promise<string> {
  const { mode, uid } = await stat(file);
  const isOwn = process.getuid === undefined || uid === process.getuid();
  // Windows has no such modes, and keeps the folder of a user from others.
  const isPrivate = process.platform === 'win32' || (mode & 0o077) === 0;
  const key = (await readFile(file, 'utf8')).trim();
  if (isOwn && isPrivate && /^[\w-]{43}$/.test(key)) return key;
  const reason = isOwn && isPrivate ? 'holds no key' : 'can be read by other users';
  throw new CommandError('failed', `The file ${file} ${reason}. Delete it; a new key is made.`);
}
