import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';

const source = JSON.stringify(new URL('../../../local/command/stop-signals.ts', import.meta.url).href);

/** A program that ends `milliseconds` after the stop signal. */
const node = (milliseconds: number): string[] => [
  process.execPath,
  '--input-type=module',
  '--eval',
  `import { onStopSignals } from ${source};
  const signal = onStopSignals(() => process.stdout.write('stopping '));
  signal.addEventListener('abort', () => setTimeout(() => process.exit(0), ${milliseconds}));
  setTimeout(() => process.exit(9), 600_000);
  process.stdout.write('waiting ');`,
];

type Child = ChildProcessByStdio<null, Readable, null>;

async function start([file = '', ...args]: readonly string[], env = process.env): Promise<Child> {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'readable');
  return child;
}

async function untilWritten({ stdout }: Child, word: string): Promise<void> {
  let written = '';
  for await (const chunk of stdout) {
    written += chunk;
    if (written.includes(word)) return;
  }
}

async function exitCode(child: Child): Promise<number> {
  const [code] = await once(child, 'exit');
  return Number(code);
}

describe('a stop signal', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s lets the work in flight finish', async (signal) => {
    const child = await start(node(0));
    child.kill(signal);
    const [written, code] = await Promise.all([text(child.stdout), exitCode(child)]);
    expect([written, code]).toEqual(['waiting stopping ', 0]);
  });

  it('counts once when one key press sends two signals', async () => {
    const child = await start(node(300));
    // Two of one kind could arrive as one; to a process that runs, they could arrive at two times.
    for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) child.kill(signal);
    expect(await exitCode(child)).toBe(0);
  });

  it('ends the process at once when it is sent again later', async () => {
    const child = await start(node(600_000));
    child.kill('SIGINT');
    await untilWritten(child, 'stopping');
    await pause(700);
    child.kill('SIGINT');
    expect(await exitCode(child)).toBe(130);
  });

  it('is also the end of the shell in which npm runs the script', async () => {
    const words = node(0).map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    const env = { ...process.env, npm_lifecycle_event: 'start' };
    const shell = await start(['sh', '-c', `${words.join(' ')}; true`], env);
    shell.kill('SIGKILL');
    expect(await text(shell.stdout)).toBe('waiting stopping ');
  });
});
