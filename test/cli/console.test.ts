import { once } from 'node:events';
import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startConsoleProcess } from '../doubles/console-process.ts';
import { startDeployedStack } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks } from './payhooks-process.ts';

const start = () => startDeployedStack({ keys: '{}' });
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

  it('ends at a Ctrl-C that comes while it starts', async () => {
    const { env } = await start();
    const { on } = process;
    vi.spyOn(process, 'on').mockImplementation((name, listener) => {
      on.call(process, name, listener);
      // The console has taken the signals over, and does not listen yet.
      if (name === 'SIGHUP') process.emit('SIGINT', 'SIGINT');
      return process;
    });
    const { code } = await runPayhooks(['console', ...named, '--port', '0'], { env });
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
    expect(await runPayhooks(['console', ...named, '--port', port], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Port ${port} is in use on 127.0.0.1; choose another with --port.`),
    });
  });

  it('prints the address of local mode, which serves its own console', async () => {
    const { url } = await startLocalStack();
    const { code, stdout } = await runPayhooks(['console', '--local', url]);
    expect([code, stdout]).toEqual([0, `${url}/\n`]);
  });
});
