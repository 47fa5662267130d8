import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOptions, type StartOptions } from '../../local/command/start-options.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * Reads a command line; instead of ending the process, a wrong one
 * throws, with what was written as the message.
 */
function read(...argv: string[]): StartOptions {
  let written = '';
  const write = (said: string): void => {
    written += said;
  };
  const configure = (command: Command): void => {
    command.configureOutput({ writeErr: write, writeOut: write }).exitOverride(({ exitCode }) => {
      throw new Error(`${exitCode}: ${written}`);
    });
  };
  return readOptions(argv, configure);
}

describe('the command line', () => {
  it('has a port and a demo when it is empty', () => {
    expect(read()).toEqual({ port: 4800, oauth: false, demo: true });
  });

  it('takes every flag', () => {
    expect(
      read(
        '--port',
        '0',
        '--service-port',
        '4811',
        '--oauth',
        '--data-dir',
        'd',
        '--private-key',
        'pri_x',
        '--sandbox-key',
        'pri_sandbox_y',
        '--no-demo',
      ),
    ).toEqual({
      port: 0,
      servicePort: 4811,
      oauth: true,
      dataDir: 'd',
      privateKey: 'pri_x',
      sandboxKey: 'pri_sandbox_y',
      demo: false,
    });
  });

  it.each(['80a', '-1', '65536', '', '4.8'])('refuses the port "%s"', (port) => {
    expect(() => read(`--port=${port}`)).toThrow("1: error: option '--port <number>' argument");
  });

  it.each(['80a', '65536'])('refuses the port "%s" of the payment service', (port) => {
    expect(() => read(`--service-port=${port}`)).toThrow(
      "1: error: option '--service-port <number>' argument",
    );
  });

  it.each(['secret', 'pri_', 'pri_sandbox_secret', 'pri_sec ret', 'PRI_secret'])(
    'refuses the live key "%s" without printing it',
    (key) => {
      expect(() => read('--private-key', key)).toThrow(/^1: error: --private-key takes a live key: /);
      expect(() => read('--private-key', key)).not.toThrow(/sec/);
    },
  );

  it.each(['secret', 'pri_secret', 'pri_sandbox_', 'pri_sandbox_sec ret'])(
    'refuses the sandbox key "%s" without printing it',
    (key) => {
      expect(() => read('--sandbox-key', key)).toThrow(/^1: error: --sandbox-key takes a sandbox key: /);
      expect(() => read('--sandbox-key', key)).not.toThrow(/sec/);
    },
  );

  it('suggests the flag that was meant', () => {
    expect(() => read('--prot', '1')).toThrow("1: error: unknown option '--prot'\n(Did you mean --port?)");
  });

  it('refuses what is no flag', () => {
    expect(() => read('4800')).toThrow('1: error: too many arguments');
  });

  it('teaches with examples, and what answers where', () => {
    expect(() => read('--help')).toThrow(/^0: Usage: npm start -- \[options\].*Examples:\n {2}npm start /s);
    for (const taught of [
      '--oauth',
      'GET  /stack',
      'GET  /alarms',
      'POST /simulator/events',
      'http://127.0.0.1:4810',
    ])
      expect(() => read('--help')).toThrow(taught);
  });
});

/** Runs local mode to its end. */
async function runStart(...flags: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, ['local/start.ts', ...flags], { cwd: root });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: Number(code), out, err };
}

describe('a start that cannot be', () => {
  const server = createServer();
  let port: string;
  beforeAll(async () => {
    port = new URL(await listen(server, { host: '127.0.0.1', port: 0 })).port;
  });
  afterAll(() => closeServer(server));

  it('says that the port is in use before it does the slow work, and exits with 1', async () => {
    expect(await runStart('--port', port)).toEqual({
      code: 1,
      out: '',
      err: `Port ${port} is in use on 127.0.0.1; choose another with --port.\n`,
    });
  });

  it('says so too when the port that the payment service is to have is in use', async () => {
    expect(await runStart('--port', '0', '--service-port', port)).toEqual({
      code: 1,
      out: '',
      err: `Port ${port} is in use on 127.0.0.1; choose another with --service-port.\n`,
    });
  });

  it('says that the data directory is no folder, and exits with 1', async () => {
    const file = join(root, 'package.json');
    expect(await runStart('--port', '0', '--data-dir', file)).toEqual({
      code: 1,
      out: '',
      err: `The data directory ${file} cannot be used: it is a file, not a folder.\n`,
    });
  });
});
