import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadStream } from 'node:tty';
import { onTestFinished } from 'vitest';
import { createInput } from '../../cli/input.ts';
import { run } from '../../cli/run.ts';
import { createTerminal } from '../../cli/terminal.ts';
import { type Waits, waits } from '../../operator/limits.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Run {
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input holds, which is a pipe then. */
  readonly stdin?: string;
  /** Standard input is a terminal, and these are the replies to its prompts. */
  readonly typed?: readonly string[];
  /** The folder of a new process. */
  readonly cwd?: string;
  /** When to end the process, in milliseconds. */
  readonly timeout?: number;
  /** Other waits than the short ones; a new process has those of an operator. */
  readonly waits?: Partial<Waits>;
  /** In milliseconds since the epoch; by default the real time. */
  readonly now?: () => number;
  /** Standard output is a terminal. */
  readonly isScreen?: boolean;
  /** Receives what a command prints while it runs in this process. */
  readonly onPrint?: (text: string) => void;
}

/** Shorter waits than those of an operator, in the same relations. */
const shortWaits: Waits = {
  ...waits,
  heartbeatReturnMilliseconds: 50,
  heartbeatPollMilliseconds: 10,
  deployPollMilliseconds: 20,
  redrivePollMilliseconds: 20,
  repairPollMilliseconds: 20,
  tokenPollMilliseconds: 20,
  evidenceDelayMilliseconds: 0,
};

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'cli', 'payhooks.ts');
/** Nothing listens at these addresses, so no test reaches AWS or a local mode of this machine. */
const closed = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
  AWS_EC2_METADATA_DISABLED: 'true',
};
const defaultLocalUrl = 'http://127.0.0.1:2';

/** Runs a command line in this process, in a tenth of the time that a new process takes. */
export async function runPayhooks(
  argv: readonly string[],
  { env = {}, stdin = '', typed, waits: own, now = Date.now, isScreen, onPrint = () => {} }: Run = {},
): Promise<Ended> {
  const isTTY = isScreen === true;
  const [out, err] = [Object.assign(new PassThrough(), { isTTY, getColorDepth: () => 1 }), new PassThrough()];
  const texts = Promise.all([text(out), text(err)]);
  out.on('data', (chunk) => onPrint(String(chunk)));
  const input = typed === undefined ? new PassThrough().end(stdin) : terminalInput(typed);
  const stream = (one: PassThrough) => one as unknown as NodeJS.WriteStream;
  const code = await run(argv, {
    env,
    terminal: createTerminal(stream(out), stream(err)),
    input: createInput(input as unknown as ReadStream, err),
    now: now,
    defaultLocalUrl,
    waits: { ...shortWaits, ...own },
  });
  out.end();
  err.end();
  const [stdout, stderr] = await texts;
  return { code, stdout, stderr };
}

/** A terminal in which each prompt gets the next reply. */
function terminalInput(replies: readonly string[]): PassThrough {
  const rest = [...replies];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => {
      if (raw) setImmediate(() => stdin.write(`${rest.shift() ?? ''}\r`));
    },
  });
  return stdin;
}

/** Runs a command line in a new process with an empty home, and resolves when it has ended. */
export async function spawnPayhooks(
  argv: readonly string[],
  { env = {}, stdin = '', cwd = root, timeout = 120_000 }: Run = {},
): Promise<Ended> {
  const home = env['HOME'] ?? (await temporaryDirectory());
  // A command that uses what Node has deprecated, or is about to, fails.
  const strict = ['--throw-deprecation', '--pending-deprecation'];
  const options = [...strict, program];
  const child = spawn(process.execPath, [...options, ...argv], {
    env: { ...kept(), HOME: home, ...closed, ...env },
    ...{ stdio: 'pipe', cwd, timeout },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** What a new process takes of this environment: its commands, and the compiled code that other processes left. */
function kept(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** A folder that is deleted when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'payhooks-cli-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
