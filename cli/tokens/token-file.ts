import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import {
  type Authentication,
  parseTokens,
  refreshingAuthentication,
  type TokenExchange,
  type TokenStore,
  type Tokens,
} from '@payhooks/payment-service';
import { CommandError } from '../outcome.ts';
import { withProcessLock } from './process-lock.ts';

export interface TokenFile extends TokenStore {
  readonly path: string;
  /** Lets one process at a time work with the tokens. */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface TokenFileOptions {
  readonly directory: string;
  readonly serviceUrl: string;
  readonly clientId: string;
  /** The one of the environment. Another one than the file began with starts it anew. */
  readonly refreshToken: string | undefined;
}

/** Nothing has this value: the first use renews it. */
const noAccessToken = 'none-yet';

/** The XDG Base Directory Specification: a path that is not absolute is ignored. */
export function stateDirectory(env: NodeJS.ProcessEnv): string {
  const given = env['XDG_STATE_HOME'];
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return join(base, 'payhooks');
}

/**
 * Refresh tokens rotate (API document 4.6), so the one of the environment is good for one renewal only. Its
 * successors are kept in a file that the operator alone can read.
 */
export async function openTokenFile(options: TokenFileOptions): Promise<TokenFile> {
  const { directory, serviceUrl, clientId, refreshToken } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const name = `token-${hash(`${new URL(serviceUrl).href}\n${clientId}`).slice(0, 16)}`;
  const path = join(directory, `${name}.json`);
  const seed = refreshToken === undefined ? undefined : hash(`payhooks seed:${refreshToken}`);
  return {
    path,
    locked: (work) => withProcessLock(join(directory, `${name}.lock`), work),
    async load() {
      const kept = await readKept(path);
      if (kept !== undefined && (seed === undefined || kept.seed === seed)) return kept.tokens;
      if (refreshToken === undefined) return undefined;
      return { access_token: noAccessToken, refresh_token: refreshToken, expires_at: 0 };
    },
    async save(tokens) {
      const from = seed ?? (await readKept(path))?.seed;
      await writeWhole(path, JSON.stringify({ seed: from, tokens }));
    },
  };
}

/** Renews what is in the file, one process at a time: the others then use what it has kept. */
export function tokenFileAuthentication(file: TokenFile, exchange: TokenExchange): Authentication {
  const { authorization, renew } = refreshingAuthentication({ store: file, exchange });
  return {
    authorization: () => file.locked(authorization),
    ...(renew !== undefined && { renew: (refused) => file.locked(() => renew(refused)) }),
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

async function readKept(path: string): Promise<{ seed: string; tokens: Tokens } | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { seed, tokens } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return { seed: String(seed), tokens: parseTokens(tokens) };
  } catch {
    // The parser's own error would quote the tokens.
    throw new CommandError('failed', `${path} holds no tokens; remove it to start with those given.`);
  }
}

/** Kept for good before anybody uses it: the file is on the disk when its name is. */
async function writeWhole(path: string, text: string): Promise<void> {
  const next = `${path}.${randomUUID()}`;
  const file = await open(next, 'wx', 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path).catch(async (error: unknown) => {
    await rm(next, { force: true });
    throw error;
  });
}
