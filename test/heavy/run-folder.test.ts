import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import config from '../../vitest.config.ts';
import { eventually } from '../acceptance/pipeline.ts';

const root = join(import.meta.dirname, '../..');
const runFolder = join(root, 'test/run-folder/run-folder.ts');

/** A run of the browser or deployment tests: starts a process in a group of its own, as MiniStack is; prints its id. */
const run = `
  const { setup } = await import(${JSON.stringify(runFolder)});
  const end = setup();
  const { spawn } = await import('node:child_process');
  const forever = ['-e', 'setInterval(() => {}, 1000)'];
  const child = spawn(process.execPath, forever, { detached: true, stdio: 'ignore', env: process.env });
  child.unref();
  process.stdout.write(String(child.pid));
  process.stdin.once('data', async () => { await end(); process.exit(); });
`;

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

async function startRun() {
  const temporary = await mkdtemp(join(tmpdir(), 'payhooks-run-folder-'));
  const owner = spawn(process.execPath, ['--input-type=module', '-e', run], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    owner.kill('SIGKILL');
    await rm(temporary, { recursive: true, force: true });
  });
  const [printed] = await once(owner.stdout, 'data');
  const id = Number(`${printed}`);
  expect(isRunning(id)).toBe(true);
  expect(readdirSync(temporary)).toHaveLength(1);
  return { owner, id, folder: join(temporary, `${readdirSync(temporary)[0]}`) };
}

describe.runIf(process.platform === 'linux')('a run of the browser or deployment tests', () => {
  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL', 'its own end'] as const)(
    'leaves no process and no temporary folder after %s',
    async (end) => {
      const { owner, id, folder } = await startRun();
      if (end === 'its own end') owner.stdin.write('end');
      else owner.kill(end);
      expect(await eventually(async () => !isRunning(id) && !existsSync(folder), Boolean)).toBe(true);
    },
  );

  it('is what vitest starts before Chromium and before MiniStack', () => {
    const projects = config.test?.projects as readonly { test: { name: string; globalSetup?: string[] } }[];
    const setups = projects.map(({ test }) => [test.name, test.globalSetup?.map((file) => join(root, file))]);
    expect(Object.fromEntries(setups)).toMatchObject({ browser: [runFolder], deploy: [runFolder] });
  });
});
