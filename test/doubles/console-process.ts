import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

const ofSources = [process.execPath, join(root, 'cli', 'payhooks.ts')];

/** `payhooks console` in a process of its own; it ends with the test at the latest. */
export async function startConsoleProcess(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  [program = '', ...payhooks]: readonly string[] = ofSources,
) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, [...payhooks, 'console', ...argv], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const line = Promise.race([once(child.stdout, 'data'), once(child, 'close').then(() => undefined)]);
  const link = String((await line) ?? '').trim();
  if (!link.startsWith('http')) throw new Error(`payhooks console has ended:\n${stderr}`);
  const { origin, search } = new URL(link);
  const cookie = `payhooks_console=${new URLSearchParams(search).get('key')}`;
  return {
    link,
    origin,
    /** A request of a browser that has opened the link. */
    request: (path: string, init: RequestInit = {}) =>
      fetch(origin + path, {
        ...init,
        headers: { cookie, 'content-type': 'application/json', ...init.headers },
      }),
    async end(signal: NodeJS.Signals) {
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
      return { code: child.exitCode, stderr };
    },
  };
}
