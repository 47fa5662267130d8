import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSimulateOptions } from '../../src/command/simulate-options.ts';
import {
  event,
  liveCredential,
  paidWebhook,
  runReceiver,
  runSimulator,
  runWithReceiver,
} from './running-simulator.ts';

const command = join(import.meta.dirname, '../../src/command/simulate.ts');

/** Reads a command line; a wrong one throws, with the exit code and what was written. */
function read(...argv: string[]) {
  let written = '';
  const write = (text: string): void => {
    written += text;
  };
  return readSimulateOptions(argv, (command: Command) => {
    command.configureOutput({ writeErr: write, writeOut: write }).exitOverride(({ exitCode }) => {
      throw new Error(`${exitCode}: ${written}`);
    });
  });
}

describe('the command line', () => {
  const defaults = {
    port: 4810,
    scopes: ['create-webhooks', 'update-webhooks', 'delete-webhooks', 'view-webhooks'],
    signatureHeader: 'X-SERVICE-SIGNATURE',
    seed: 1,
    misbehave: [],
  };

  it.each([
    ['', {}],
    ['--private-key pri_x --sandbox-key pri_sandbox_y', { privateKey: 'pri_x', sandboxKey: 'pri_sandbox_y' }],
    ['--port 0 --seed 7', { port: 0, seed: 7 }],
    ['--scopes none', { scopes: [] }],
    ['--scopes view-webhooks,x,x', { scopes: ['view-webhooks', 'x'] }],
    ['--webhook-url https://shop.example/', { webhookUrl: 'https://shop.example/' }],
    ['--signature-header x-s', { signatureHeader: 'x-s' }],
    ['--misbehave [{"kind":"wrong_key"}]', { misbehave: [{ kind: 'wrong_key' }] }],
  ])('reads "%s"', (flags, options) => {
    expect(read(...flags.split(' ').filter(Boolean))).toEqual({ ...defaults, ...options });
  });

  it.each([
    ['--port', '65536', /Expected a whole number from 0 to 65535/],
    ['--webhook-url', 'http://shop.example/', /Expected an https URL; http only for a loopback address/],
    ['--scopes', 'a,,b', /Expected names such as view-webhooks/],
    ['--signature-header', 'x y', /Expected the name of a header/],
    ['--seed', 'x', /Expected a whole number of up to nine digits/],
    ['--misbehave', '[{"kind":"x"}]', /\$\[0\]\.kind is a string; expected \("duplicate"/],
    ['--misbehave', '{', /\$ is missing; expected an array/],
  ])('refuses %s %s with a sentence', (flag, value, sentence) => {
    expect(() => read(flag, value)).toThrow(/^1: error: option /);
    expect(() => read(flag, value)).toThrow(sentence);
  });

  it('has examples in its help', () => {
    expect(() => read('--help')).toThrow(/^0: Usage: npm run simulate.*Examples:.*POST \/simulator\/events/s);
  });
});

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

describe('the control of a simulator that runs alone', () => {
  it('sends a sample event with the given fields', async () => {
    const { url, received } = await runReceiver(202);
    const { request, registerWebhook } = await runSimulator();
    registerWebhook({ ...paidWebhook(url, false), enabledEvents: ['transaction.refunded'] });
    const ids = { event_id: 'e1', order_id: 'order-1', transaction_id: 't1' };
    const money = { amount: '5.00', currency: 'EUR' };
    const body = { ...ids, ...money, event_name: 'transaction.refunded', sandbox: true };
    const response = await request('POST /simulator/events', { body });
    expect(response.status).toBe(202);
    await expect.poll(() => received[0]?.body).toBe(response.text);
    expect(response.json).toMatchObject({
      id: 'e1',
      event_name: 'transaction.refunded',
      sandbox: true,
      payload: { transaction: { id: 't1', order_id: 'order-1', amount: '5.00', currency: 'EUR' } },
    });
  });

  it.each([
    [{}, 'order_id'],
    [{ order_id: 1 }, 'order_id'],
    [{ order_id: 'o', event_name: 'paid' }, 'event_name'],
    [{ order_id: 'o', orderid: 'o' }, 'orderid'],
    [{ order_id: 'o', sandbox: 'yes' }, 'sandbox'],
    ['no JSON', 'order_id'],
  ])('refuses %j and names the field', async (body, field) => {
    const { request } = await runSimulator();
    const errors = { [field]: [expect.any(String)] };
    expect(await request('POST /simulator/events', { body })).toMatchObject({
      status: 422,
      json: { errors },
    });
  });

  it('sets misbehaviours, and flushes what they hold back', async () => {
    const { request, emit, received } = await runWithReceiver();
    const body = [{ kind: 'burst', size: 9 }];
    expect((await request('PUT /simulator/misbehaviours', { body })).json).toEqual({ misbehaviours: body });
    const emitted = emit(event('e1'));
    expect((await request('GET /simulator/deliveries')).json).toEqual({ deliveries: [] });
    expect((await request('POST /simulator/flush')).status).toBe(204);
    await emitted;
    expect(received).toHaveLength(1);
    expect((await request('PUT /simulator/misbehaviours', { body: [{}] })).status).toBe(422);
    expect((await request('PUT /simulator/events')).status).toBe(404);
  });

  it('refuses requests of web pages', async () => {
    const { baseUrl } = await runSimulator();
    const statusFor = async (site: string) =>
      (await fetch(`${baseUrl}/simulator/deliveries`, { headers: { 'sec-fetch-site': site } })).status;
    expect([await statusFor('cross-site'), await statusFor('none')]).toEqual([403, 200]);
  });

  it.each([
    ['localhost:4810', 200],
    ['127.0.0.1', 200],
    ['[::1]:4810', 200],
    ['notlocalhost', 403],
    ['localhost.shop.example', 403],
    ['127.0.0.1.shop.example:4810', 403],
  ])('responds to a request for the host %s with %i', async (host, status) => {
    const { baseUrl } = await runSimulator();
    // `fetch` does not let a caller choose a Host.
    const outgoing = httpRequest(`${baseUrl}/simulator/deliveries`, { setHost: false, headers: { host } });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });
});
