import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run one temporary folder. Whatever ends the run, a supervisor removes that folder and ends every process
 * that works in it: Chromium and local modes; MiniStack, its functions and the CDK CLI. vitest calls this once, before
 * the first worker starts.
 */
export function setup(): () => Promise<void> {
  const { env } = process;
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-run-'));
  const supervisor = spawn(process.execPath, [join(import.meta.dirname, 'supervisor.ts'), folder], {
    detached: true,
    env: { ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  supervisor.unref();
  // Workers inherit it, and every process that they start.
  env['TMPDIR'] = folder;
  // npm passes no SIGHUP on, and no SIGKILL.
  const caller = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== caller) process.kill(process.pid, 'SIGTERM');
  }, 1_000).unref();
  return async () => {
    clearInterval(watch);
    supervisor.stdin.end();
    await once(supervisor, 'exit');
  };
}
