import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { privateKey, requestsTo, sandboxKey } from '../local/pipeline/running-pipeline.ts';

export interface LocalProcess {
  readonly baseUrl: string;
  readonly output: () => string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

const root = join(import.meta.dirname, '..', '..');
const condition = '--conditions=payhooks-source';
const senders = 20;

/** Local mode in a process that ends with the test at the latest. */
export async function startProcess(...flags: string[]): Promise<LocalProcess> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  return spawnLocalMode(flags, abort.signal);
}

/**
 * Local mode in a process of its own, as `npm start` runs it. Resolves at the line `ready`. `end` kills the process,
 * also while it starts.
 */
export async function spawnLocalMode(flags: readonly string[], end: AbortSignal): Promise<LocalProcess> {
  const child = spawn(process.execPath, [condition, 'local/start.ts', ...flags], { cwd: root });
  end.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
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

/** Starts processes on one data directory, which the end of the test deletes. */
export async function processesOnOneDirectory(): Promise<() => Promise<LocalProcess>> {
  const directory = await mkdtemp(join(tmpdir(), 'payhooks-kill-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const keys = ['--private-key', privateKey, '--sandbox-key', sandboxKey];
  return () => startProcess('--port', '0', '--data-dir', directory, '--no-demo', ...keys);
}

/**
 * Posts the bodies from several senders, and kills the process with SIGKILL when `killAfter` are
 * acknowledged. Resolves with the keys of all acknowledged bodies.
 */
export async function postUntilKilled(
  local: LocalProcess,
  bodies: ReadonlyMap<string, Uint8Array>,
  killAfter: number,
): Promise<Set<string>> {
  const { post } = requestsTo(local.baseUrl);
  const acknowledged = new Set<string>();
  const waiting = bodies.entries();
  let killed: Promise<unknown> | undefined;
  const send = async (): Promise<void> => {
    for (const [key, body] of waiting) {
      const response = await post(body).catch(() => undefined);
      if (response?.status === 202) acknowledged.add(key);
      if (acknowledged.size >= killAfter) killed ??= local.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  await killed;
  return acknowledged;
}
