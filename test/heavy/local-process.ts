import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type LocalProcess, startLocalMode } from '../../local/command/local-process.ts';
import { privateKey, requestsTo, sandboxKey } from '../local/pipeline/running-pipeline.ts';

const senders = 20;

/** Local mode in a process that ends with the test at the latest. */
export async function startProcess(...flags: string[]): Promise<LocalProcess> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  return startLocalMode(flags, abort.signal);
}

/** Starts processes on one data directory, which the end of the test deletes. */
export async function processesOnOneDirectory(): Promise<() => Promise<LocalProcess>> {
  const directory = await mkdtemp(join(tmpdir(), 'payhooks-kill-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const keys = ['--private-key', privateKey, '--sandbox-key', sandboxKey];
  return () => startProcess('--data-dir', directory, '--no-demo', ...keys);
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
