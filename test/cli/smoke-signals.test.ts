import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stackName } from '../doubles/deployed-stack.ts';
import { liveOnly, startSmoke } from './smoke-run.ts';

afterEach(() => vi.unstubAllEnvs());

const payhooks = join(import.meta.dirname, '..', '..', 'cli', 'payhooks.ts');
const timeout = 20_000;

/** A run in a process of its own, with the limits that hold: it waits for a minute once it was refused. */
async function start() {
  const stack = await startSmoke(liveOnly);
  const begin = () => {
    const argv = [payhooks, 'smoke', '--stack', stackName, '--temporary-sandbox-key', '--yes'];
    const child = spawn(process.execPath, argv, { env: { ...process.env, ...stack.env }, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, exit: once(child, 'exit') };
  };
  /** Holds one request back until it is let go. */
  const hold = (isMeant: (operation: string) => boolean) => {
    const held = { isThere: false, letGo: () => {} };
    const gone = new Promise<void>((resolve) => {
      held.letGo = resolve;
    });
    stack.secrets.before = async (operation) => {
      if (held.isThere || !isMeant(operation)) return undefined;
      held.isThere = true;
      await gone;
      return undefined;
    };
    return held;
  };
  return { ...stack, begin, hold };
}

describe('the temporary sandbox key', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is taken out when the command is ended by %s', async (signal, code) => {
    const { begin, pipeline, keys: secret } = await start();
    pipeline.faults.forgetful = 1;
    const { child, exit } = begin();
    await vi.waitUntil(() => pipeline.faults.forgetful === 0, { timeout });
    expect(await secret()).toContain('pri_sandbox_smoke_');
    child.kill(signal);
    expect(await exit).toEqual([code, null]);
    expect(await secret()).toBe(liveOnly);
  });

  it('is taken out when a second signal comes while the first one is followed', async () => {
    const { begin, hold, pipeline, keys: secret } = await start();
    pipeline.faults.forgetful = 1;
    const { child, exit } = begin();
    await vi.waitUntil(() => pipeline.faults.forgetful === 0, { timeout });
    const held = hold((operation) => operation === 'GetSecretValue');
    child.kill('SIGINT');
    await vi.waitUntil(() => held.isThere, { timeout });
    child.kill('SIGINT');
    child.kill('SIGTERM');
    held.letGo();
    expect(await exit).toEqual([130, null]);
    expect(await secret()).toBe(liveOnly);
  });

  it('is taken out when a signal comes while it is taken out anyway', async () => {
    const { begin, hold, keys: secret } = await start();
    let writes = 0;
    const held = hold((operation) => {
      if (operation === 'PutSecretValue') writes += 1;
      return writes === 2;
    });
    const { child, exit } = begin();
    await vi.waitUntil(() => held.isThere, { timeout });
    child.kill('SIGINT');
    held.letGo();
    expect(await exit).toEqual([130, null]);
    expect(await secret()).toBe(liveOnly);
  });

  it('is taken out when a signal comes while it is put in', async () => {
    const { begin, hold, keys: secret } = await start();
    const held = hold((operation) => operation === 'UpdateSecretVersionStage');
    const { child, exit } = begin();
    await vi.waitUntil(() => held.isThere, { timeout });
    child.kill('SIGINT');
    held.letGo();
    expect(await exit).toEqual([130, null]);
    expect(await secret()).toBe(liveOnly);
  });
});
