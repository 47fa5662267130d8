import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { liveCredential, runReceiver, runSimulator } from '../simulator/running-simulator.ts';

const command = join(import.meta.dirname, '../../src/command/simulate.ts');

/** The simulator in a separate process, which ends with the test at the latest. */
function start(...flags: string[]) {
  const child = spawn(process.execPath, [command, ...flags]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = Promise.all([text(child.stderr), once(child, 'close')]);
  const ended = closed.then(([err, [code]]) => ({ err, code }));
  return { child, ended, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

// Two processes have to start, on a machine that may be busy.
describe('the simulator alone', () => {
  it('prints ready, serves the API, sends events, prints no given secret, and ends at Ctrl-C', async () => {
    const { url, received } = await runReceiver(202);
    const flags = ['--port', '0', '--private-key', 'pri_live', '--webhook-url', url];
    const { child, ended, lines } = start(...flags);
    const { value: ready } = (await lines.next()) as { value: string };
    expect(ready).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+$/);
    const baseUrl = ready.slice('ready '.length);
    const headers = { accept: 'application/json', authorization: liveCredential };
    const list = await fetch(`${baseUrl}/api/v2/webhooks?page=secret`, { headers });
    expect(list.status).toBe(422);
    const order = { method: 'POST', body: '{"order_id":"order-1"}' };
    expect((await fetch(`${baseUrl}/simulator/events`, order)).status).toBe(202);
    const delivered = async (): Promise<boolean> =>
      (await (await fetch(`${baseUrl}/simulator/deliveries`)).text()).includes('"state":"delivered"');
    await expect.poll(delivered).toBe(true);
    expect(received).toHaveLength(1);
    child.kill('SIGINT');
    const { err, code } = await ended;
    expect(code).toBe(0);
    expect((await lines.next()).done).toBe(true);
    expect(err).toContain('GET    /api/v2/webhooks → 422  invalid_page');
    expect(err).toMatch(/sent {3}transaction\.paid, attempt 1 → 202, delivered/);
    expect(err).not.toMatch(/pri_live|cHJpX2xpdmU6|page=secret/);
  });

  it('exits with 1 and one line for a port that is in use or a wrong key, which it does not print', async () => {
    const { port } = new URL((await runSimulator()).baseUrl);
    const err = `Port ${port} is in use on 127.0.0.1; choose another with --port.\n`;
    expect(await start('--port', port).ended).toEqual({ err, code: 1 });
    expect(await start('--port', '0', '--private-key', 'secret').ended).toEqual({
      err: 'The private key of the account "simulator" is not a live key, pri_<identifier>.\n',
      code: 1,
    });
  });
});
