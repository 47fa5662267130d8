import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadStream } from 'node:tty';
import { onTestFinished, vi } from 'vitest';
import { createInput } from '../../cli/input.ts';
import { run } from '../../cli/run.ts';
import { createTerminal } from '../../cli/terminal.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Run {
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input holds; it is a pipe and never a terminal. */
  readonly stdin?: string;
  /** After how many milliseconds a process of its own is ended. */
  readonly timeout?: number;
}

// A new process takes half a second, and several at one time on a busy machine far more.
vi.setConfig({ testTimeout: 30_000 });

const root = join(import.meta.dirname, '..', '..');
/** Nothing of the machine reaches the command, and no command of a test reaches AWS: nobody listens there. */
const closed = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** A command line in this process, which takes a tenth of the time of a new one. */
export async function runPayhooks(
  argv: readonly string[],
  { env = {}, stdin = '' }: Run = {},
): Promise<Ended> {
  const [out, err, input] = [new PassThrough(), new PassThrough(), new PassThrough()];
  input.end(stdin);
  const stream = (one: PassThrough) => one as unknown as NodeJS.WriteStream;
  const code = await run(argv, {
    env,
    terminal: createTerminal(stream(out), stream(err)),
    input: createInput(input as unknown as ReadStream, err),
    now: Date.now,
    // Nobody listens there, whatever runs on this machine.
    defaultLocalUrl: 'http://127.0.0.1:2',
  });
  out.end();
  err.end();
  const [stdout, stderr] = await Promise.all([text(out), text(err)]);
  return { code, stdout, stderr };
}

/** A command line in a process of its own, with a home of its own. It has ended when the promise resolves. */
export async function spawnPayhooks(
  argv: readonly string[],
  { env = {}, stdin = '', timeout = 30_000 }: Run = {},
): Promise<Ended> {
  const home = env['HOME'] ?? (await temporaryDirectory());
  const options = ['--conditions=payhooks-source', join(root, 'cli', 'payhooks.ts')];
  const child = spawn(process.execPath, [...options, ...argv], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...closed, ...env },
    stdio: 'pipe',
    timeout,
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** A folder that goes with the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'payhooks-cli-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
