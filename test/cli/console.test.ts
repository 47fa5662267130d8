import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startConsoleProcess } from '../doubles/console-process.ts';
import { startDeployedStack } from '../doubles/deployed-stack.ts';
import { runPayhooks, temporaryDirectory } from './payhooks-process.ts';

async function start() {
  const { env, state } = await startDeployedStack({ keys: '{}' });
  const cache = await temporaryDirectory();
  return { env: { ...env, XDG_CACHE_HOME: cache }, state, file: join(cache, 'payhooks', 'console-key') };
}

const named = ['--stack', 'payhooks-shop'];

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

  it.each([
    ['can be read by other users', 'k'.repeat(43), 0o644],
    ['holds no key', '', 0o600],
  ])('does not use a key file that %s', async (reason, key, mode) => {
    const { env, file } = await start();
    await mkdir(join(file, '..'));
    await writeFile(file, key);
    await chmod(file, mode);
    const { code, stderr } = await runPayhooks(['console', ...named, '--port', '0'], { env });
    const message = `error: The file ${file} ${reason}. Delete it; a new key is made.\n`;
    expect([code, stderr]).toEqual([1, `payhooks-shop in us-east-1\n${message}`]);
  });

  it('names the option that chooses another port when this one is in use', async () => {
    const { env } = await start();
    const server = createServer();
    const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
    onTestFinished(() => closeServer(server));
    const { code, stderr } = await runPayhooks(['console', ...named, '--port', port], { env });
    const message = `error: Port ${port} is in use on 127.0.0.1; choose another with --port.\n`;
    expect([code, stderr]).toEqual([1, `payhooks-shop in us-east-1\n${message}`]);
  });

  it('prints the address of local mode, which serves its own console', async () => {
    const local = createServer((_, response) => {
      response.end(JSON.stringify({ stack: 'payhooks-local', outputs: {}, endpoints: {} }));
    });
    const url = await listen(local, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => closeServer(local));
    const { code, stdout } = await runPayhooks(['console', '--local', url]);
    expect([code, stdout]).toEqual([0, `${url}/\n`]);
  });
});
