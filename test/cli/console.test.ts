import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConsoleKey } from '../../cli/console/console-key.ts';
import { startConsoleProcess } from '../doubles/console-process.ts';
import { startDeployedStack } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { type Run, runPayhooks, temporaryDirectory } from './payhooks-process.ts';

async function start() {
  const { env, state } = await startDeployedStack({ keys: '{}' });
  const cache = await temporaryDirectory();
  return { env: { ...env, XDG_CACHE_HOME: cache }, state, file: join(cache, 'payhooks', 'console-key') };
}

const named = ['--stack', 'payhooks-shop'];

async function refuses(run: Run, message: string, port = '0'): Promise<void> {
  const { code, stderr } = await runPayhooks(['console', ...named, '--port', port], run);
  expect([code, stderr]).toEqual([1, `payhooks-shop in us-east-1\nerror: ${message}\n`]);
}

describe('payhooks console', () => {
  it('prints a link, shows the stack to who opens it, and ends at Ctrl-C', async () => {
    const { env, state } = await start();
    const waiting = { events: [], next_cursor: null };
    state.operations = ({ route }) => ({ body: route === 'GET /operations/waiting' ? waiting : {} });
    const console = await startConsoleProcess([...named, '--port', '0'], env);
    expect(console.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{43}$/);
    expect((await fetch(console.origin)).status).toBe(401);
    const page = await fetch(console.link, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([303, '/']);
    expect(await (await console.request('/console/api/stack')).json()).toMatchObject({
      ...{ name: 'payhooks-shop', kind: 'aws', stack_option: '--stack payhooks-shop', laboratory: false },
    });
    expect(await (await console.request('/operations/waiting?mode=live')).json()).toEqual(waiting);
    const other = await console.request('/healthz');
    expect([other.status, await other.text()]).toEqual([404, 'There is no such page.\n']);
    const { code, stderr } = await console.end('SIGINT');
    expect(code).toBe(130);
    expect(stderr).toBe('payhooks-shop in us-east-1\nCtrl-C ends the console.\n');
  });

  it('keeps the key in a file that only the user can read, for the next start', async () => {
    const { env, file } = await start();
    const first = await startConsoleProcess([...named, '--port', '0'], env);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = (await readFile(file, 'utf8')).trim();
    expect(first.link).toBe(`${first.origin}/?key=${key}`);
    await first.end('SIGTERM');
    const second = await startConsoleProcess([...named, '--port', '0'], env);
    expect(second.link).toBe(`${second.origin}/?key=${key}`);
  });

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['other users can read', (file) => writeFile(file, 'k'.repeat(43), { mode: 0o644 })],
    ['holds no key', (file) => writeFile(file, '', { mode: 0o600 })],
    // Another user may have put it there.
    ['is a pipe', async (file) => execFileSync('mkfifo', ['-m', '600', file])],
  ])('does not use a key file that %s', async (_, put) => {
    const { env, file } = await start();
    await mkdir(join(file, '..'));
    await put(file);
    await refuses(
      { env },
      `${file} is no file with a key that only you can read. Delete it; a new key is made.`,
    );
  });

  it('names the variable for another folder when the key cannot be kept', async () => {
    const { env } = await start();
    const message =
      'The key of the console cannot be kept in /dev/null/payhooks/console-key (ENOTDIR). ' +
      'Set XDG_CACHE_HOME to a folder that you can write to.';
    await refuses({ env: { ...env, XDG_CACHE_HOME: '/dev/null' } }, message);
  });

  it('ends at a Ctrl-C that comes while it starts', async () => {
    const { env } = await start();
    const cache = env.XDG_CACHE_HOME;
    const interrupted = {
      ...env,
      // Read when the console has taken the signals over, and does not listen yet.
      get XDG_CACHE_HOME() {
        process.emit('SIGINT', 'SIGINT');
        return cache;
      },
    };
    const { code } = await runPayhooks(['console', ...named, '--port', '0'], { env: interrupted });
    expect(code).toBe(130);
  });

  it('ends at a signal although AWS does not respond to the request of a page', async () => {
    const { env } = await start();
    const silent = createServer();
    const url = await listen(silent, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => closeServer(silent));
    const silence = { ...env, AWS_ENDPOINT_URL_CLOUDWATCH: url };
    const console = await startConsoleProcess([...named, '--port', '0'], silence);
    const request = once(silent, 'request');
    console.request('/console/api/alarms').catch(() => undefined);
    await request;
    expect((await console.end('SIGTERM')).code).toBe(143);
  });

  it('names the option that chooses another port when this one is in use', async () => {
    const { env } = await start();
    const server = createServer();
    const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
    onTestFinished(() => closeServer(server));
    await refuses({ env }, `Port ${port} is in use on 127.0.0.1; choose another with --port.`, port);
  });

  it('prints the address of local mode, which serves its own console', async () => {
    const { url } = await startLocalStack();
    const { code, stdout } = await runPayhooks(['console', '--local', url]);
    expect([code, stdout]).toEqual([0, `${url}/\n`]);
  });
});

describe('the key file of the console', () => {
  it('is complete or absent when the disk was full at the first start', async () => {
    const cache = await temporaryDirectory();
    const key = JSON.stringify(join(import.meta.dirname, '..', '..', 'cli', 'console', 'console-key.ts'));
    const program = `import { readConsoleKey } from ${key}; await readConsoleKey(process.env);`;
    const node = [process.execPath, '--conditions=payhooks-source', '--input-type=module', '-e', program];
    const env = { ...process.env, XDG_CACHE_HOME: cache };
    const full = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$0" "$@"', ...node], { env });
    expect(full.status).not.toBe(0);
    expect(await readConsoleKey(env)).toMatch(/^[\w-]{43}$/);
  });

  it('is the same for consoles that start at the same time', async () => {
    const env = { XDG_CACHE_HOME: await temporaryDirectory() };
    const keys = await Promise.all(Array.from({ length: 8 }, () => readConsoleKey(env)));
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(join(env.XDG_CACHE_HOME, 'payhooks'))).toEqual(['console-key']);
  });
});
