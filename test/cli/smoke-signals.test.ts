import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { stackName } from '../doubles/deployed-stack.ts';
import { liveOnly, startSmoke } from './smoke-run.ts';

const payhooks = join(import.meta.dirname, '..', '..', 'cli', 'payhooks.ts');
const timeout = 60_000;

/** Runs in a new process, with the real limits: after a refusal it waits for 12 seconds. */
async function start() {
  const stack = await startSmoke(liveOnly);
  const begin = () => {
    const argv = [
      '--conditions=payhooks-source',
      payhooks,
      'smoke',
      '--stack',
      stackName,
      '--temporary-sandbox-key',
      '--yes',
    ];
    const child = spawn(process.execPath, argv, { env: { ...process.env, ...stack.env }, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, exit: once(child, 'exit') };
  };
  /** A run that waits, with its key in the secret, after the verifier has refused it. */
  const beginWaiting = async () => {
    stack.pipeline.faults.refusedPosts = [1];
    const begun = begin();
    await vi.waitUntil(() => stack.pipeline.posted.length === 1, { timeout });
    return begun;
  };
  /** Holds one request to Secrets Manager back until it is released. */
  const hold = (isHeld: (operation: string) => boolean) => {
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let isDone = false;
    stack.secrets.before = async (operation) => {
      if (isDone || !isHeld(operation)) return undefined;
      isDone = true;
      held.resolve();
      await released.promise;
      return undefined;
    };
    return { held: held.promise, release: released.resolve };
  };
  return { ...stack, begin, beginWaiting, hold };
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('payhooks smoke removes the temporary key when %s ends it', async (signal, code) => {
  const { beginWaiting, keys: secret } = await start();
  const { child, exit } = await beginWaiting();
  expect(await secret()).toContain('pri_sandbox_smoke_');
  child.kill(signal);
  expect(await exit).toEqual([code, null]);
  expect(await secret()).toBe(liveOnly);
});

it('payhooks smoke removes the temporary key when further signals follow the first', async () => {
  const { beginWaiting, hold, keys: secret } = await start();
  const { child, exit } = await beginWaiting();
  const { held, release } = hold((operation) => operation === 'GetSecretValue');
  child.kill('SIGINT');
  await held;
  child.kill('SIGINT');
  child.kill('SIGTERM');
  release();
  expect(await exit).toEqual([130, null]);
  expect(await secret()).toBe(liveOnly);
});

it.each([
  ['adds', 'UpdateSecretVersionStage', 1],
  ['removes', 'PutSecretValue', 2],
])(
  'payhooks smoke removes the temporary key when a signal arrives while it %s the key',
  async (_, held, count) => {
    const { begin, hold, keys: secret, pipeline } = await start();
    // What follows an accepted payment takes seconds.
    pipeline.faults.webhook = { status: 500, text: '{}' };
    let calls = 0;
    const request = hold((operation) => {
      if (operation === held) calls += 1;
      return calls === count;
    });
    const { child, exit } = begin();
    await request.held;
    child.kill('SIGINT');
    request.release();
    expect(await exit).toEqual([130, null]);
    expect(await secret()).toBe(liveOnly);
  },
);
