import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import type { Command } from 'commander';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readOptions, type StartOptions } from '../../local/command/start-options.ts';

const root = join(import.meta.dirname, '..', '..');

/** Reads a command line. Instead of ending the process, a wrong one throws its exit code and its output. */
function read(...argv: string[]): StartOptions {
  let written = '';
  const write = (text: string): void => {
    written += text;
  };
  const configure = (command: Command): void => {
    command.configureOutput({ writeErr: write, writeOut: write }).exitOverride(({ exitCode }) => {
      throw new Error(`${exitCode}: ${written}`);
    });
  };
  return readOptions(argv, { command: 'npm start --', configure });
}

describe('the command line of npm start', () => {
  it('has defaults', () => {
    expect(read()).toEqual({ port: 4800, oauth: false, demo: true });
  });

  it('has a flag for each option', () => {
    const flags = '--port 0 --service-port 4811 --oauth --data-dir d --private-key pri_x --no-demo';
    expect(read(...flags.split(' '), '--sandbox-key', 'pri_sandbox_y')).toEqual({
      port: 0,
      servicePort: 4811,
      oauth: true,
      dataDir: 'd',
      privateKey: 'pri_x',
      sandboxKey: 'pri_sandbox_y',
      demo: false,
    });
  });

  it.each([
    ...['80a', '-1', '65536', '', '4.8'].map((port) => ['--port', port]),
    ['--service-port', '65536'],
  ])('refuses %s="%s"', (flag = '', port) => {
    expect(() => read(`${flag}=${port}`)).toThrow(`1: error: option '${flag} <number>' argument`);
  });

  it.each([
    ...['secret', 'pri_', 'pri_sandbox_secret', 'pri_sec ret'].map((key) => ['private', key]),
    ...['pri_secret', 'pri_sandbox_'].map((key) => ['sandbox', key]),
  ])('refuses the %s key "%s" without printing it', (kind, key = '') => {
    expect(() => read(`--${kind}-key`, key)).toThrow(`1: error: --${kind}-key takes a `);
    expect(() => read(`--${kind}-key`, key)).not.toThrow(/sec/);
  });

  it.each([
    ['an unknown flag', ['--prot', '1'], "1: error: unknown option '--prot'"],
    ['an argument that is no flag', ['4800'], '1: error: too many arguments'],
    ['an empty data directory', ['--data-dir', ''], '1: error: --data-dir is empty'],
    ['nothing but --help, which ends with its text', ['--help'], '0: Usage: npm start -- [options]'],
  ])('ends for %s', (_, argv, message) => {
    expect(() => read(...argv)).toThrow(message);
  });
});

describe('npm start', () => {
  it('exits with 1 before the synthesis for a port in use and for a data directory that is a file', async () => {
    const server = createServer();
    onTestFinished(() => closeServer(server));
    const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
    const file = join(root, 'package.json');
    const inUse = (flag: string) => `Port ${port} is in use on 127.0.0.1; choose another with ${flag}.`;
    for (const [flags, message] of [
      [['--port', port], inUse('--port')],
      [['--port', '0', '--service-port', port], inUse('--service-port')],
      [
        ['--port', '0', '--data-dir', file],
        `The data directory ${file} cannot be used: it is a file, not a folder.`,
      ],
    ] as const) {
      const argv = ['local/start.ts', ...flags];
      const child = spawn(process.execPath, argv, { cwd: root });
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      expect([child.exitCode, out, err]).toEqual([1, '', `${message}\n`]);
    }
  });
});
