import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface LocalProcess {
  readonly baseUrl: string;
  readonly output: () => string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

const root = join(import.meta.dirname, '..', '..');

/**
 * Local mode in a process of its own, as `npm start` runs it; resolves at the line `ready`. It ends with the
 * test that starts it, at the latest.
 */
export async function startProcess(...flags: string[]): Promise<LocalProcess> {
  const child = spawn(process.execPath, ['local/start.ts', ...flags], { cwd: root });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const baseUrl = await Promise.race([readyLine(child), closed.then(() => undefined)]);
  if (baseUrl === undefined) throw new Error(`Local mode ended before it was ready:\n${output}`);
  return {
    baseUrl,
    output: () => output,
    async kill(signal) {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

async function readyLine(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, baseUrl] = line.split(' ');
    if (word === 'ready') return baseUrl;
  }
  return undefined;
}
