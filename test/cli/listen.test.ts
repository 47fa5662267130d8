import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import type { Order } from '@payhooks/order-client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { messageOf } from '../../cli/listen/message.ts';
import schema from '../../docs/order-status-changed.schema.json' with { type: 'json' };
import { waits } from '../../operator/limits.ts';
import { runPayhooks, temporaryDirectory } from './payhooks-process.ts';

const timeout = 60_000;
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const event = (id: string, event_name: string, received_at: string): Order['events'][number] => ({
  ...{ id, event_name, transaction_id: 't', amount: '10.00', currency: 'USD' },
  ...{ received_at, recorded_at: received_at, status_after: null },
});
const order = (change: Partial<Order> = {}): Order => ({
  order_id: 'order-7',
  mode: 'live',
  status: 'paid',
  attention: [],
  transactions: [{ id: 't', status: 'paid', amount: '10.00', currency: 'USD', created_at: null }],
  events: [event('e-1', 'transaction.paid', '2026-11-21T10:00:00.000Z')],
  sequence: 1,
  updated_at: '2026-11-21T10:00:00.100Z',
  ...change,
});
const refunded = order({
  status: 'refunded',
  sequence: 2,
  events: [...order().events, event('e-2', 'transaction.refunded', '2026-11-21T11:00:00.000Z')],
});

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A local mode with one order that a test changes, and an order system that responds with these statuses. */
async function start(...statuses: number[]) {
  const state = { orders: [order()] };
  const queries: string[] = [];
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    if (url === '/stack') {
      return void response.end(JSON.stringify({ stack: 'payhooks-local', outputs: {}, endpoints: {} }));
    }
    if (url.startsWith('/orders')) {
      queries.push(url);
      response.setHeader('content-type', 'application/json');
      const isNew = !url.includes('cursor=') || state.orders.length > 1;
      const page = { orders: isNew ? state.orders.splice(0, 1) : [], next_cursor: isNew ? 'next' : null };
      return void response.end(JSON.stringify(page));
    }
    received.push({ headers, body: await text(request) });
    response.writeHead(statuses[received.length - 1] ?? statuses.at(-1) ?? 200).end();
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const program = join(import.meta.dirname, '..', '..', 'cli', 'payhooks.ts');
  const begin = (...argv: string[]) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const words = ['listen', '--forward-to', `${url}/hook`, ...argv, '--local', url];
    const child = spawn(process.execPath, ['--conditions=payhooks-source', program, ...words], {
      env: { PATH, NODE_COMPILE_CACHE, PAYHOOKS_LISTEN_SECRET: secret },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const hasPrinted = (line: string) => vi.waitUntil(() => printed.includes(line), { timeout });
    const [stderr, exit] = [text(child.stderr), once(child, 'exit')];
    return { child, hasPrinted, stdout: () => printed, stderr, exit };
  };
  const run = (argv: readonly string[], onPrint: (text: string) => void = () => {}) =>
    runPayhooks(['listen', '--forward-to', `${url}/hook`, ...argv, '--local', url], {
      env: { PAYHOOKS_LISTEN_SECRET: secret },
      onPrint,
    });
  return { url, queries, received, begin, run };
}

/** Ends a command that runs in this process. */
const end = (signal: NodeJS.Signals): unknown => process.emit(signal, signal);

/** What Standard Webhooks signs, made without its library. */
function signatureOf({ headers, body }: Received): string {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const digest = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64');
  return `v1,${digest}`;
}

describe('payhooks listen', () => {
  it('posts a change as a signed message of the feed, and ends on Ctrl-C', async () => {
    const { received, begin } = await start(200);
    const { child, exit, stdout, stderr, hasPrinted } = begin();
    await hasPrinted('sequence 1');
    child.kill('SIGINT');
    expect(await exit).toEqual([130, null]);
    const [post] = received as [Received];
    expect(post.headers['webhook-signature']).toBe(signatureOf(post));
    expect(Math.abs(Number(post.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    expect(JSON.parse(post.body)).toMatchObject({
      id: post.headers['webhook-id'],
      order_id: 'order-7',
      previous: null,
      current: { status: 'paid', attention: [] },
      caused_by: [{ id: 'e-1', event_name: 'transaction.paid' }],
    });
    expect(stdout()).toMatch(/^200 \d+ ms +order-7 paid, sequence 1\n$/);
    expect(await stderr).toContain('Delivered 1, given up 0.\n');
    expect(await stderr).not.toContain(secret);
  });

  it('repeats what is not acknowledged under the same id, at another time and with its signature', async () => {
    const { received, run } = await start(503, 503, 200);
    vi.useFakeTimers({ toFake: ['Date'] });
    const { code, stdout } = await run([], (line) => {
      if (line.startsWith('200 ')) end('SIGTERM');
      vi.setSystemTime(Date.now() + 1_000);
    });
    expect(code).toBe(143);
    const [first, second, third] = received as [Received, Received, Received];
    for (const one of received) {
      expect(one.body).toBe(first.body);
      expect(one.headers['webhook-id']).toBe(first.headers['webhook-id']);
      expect(one.headers['webhook-signature']).toBe(signatureOf(one));
    }
    const times = [first, second, third].map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times).toEqual([0, 1, 2].map((seconds) => (times[0] ?? 0) + seconds));
    expect(stdout).toMatch(/^503 .*: next attempt in 0.02 s\n503 .*: next attempt in 0.03 s\n200 /);
  });

  it('pauses for 1 to 16 s between six attempts, outside of tests', () => {
    expect(waits.listenPausesMilliseconds).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  });

  it('keeps no cursor after an order that a stop kept it from forwarding', async () => {
    const { received, run } = await start(503);
    const file = join(await temporaryDirectory(), 'cursor');
    await run(['--cursor-file', file], () => end('SIGINT'));
    expect(received).toHaveLength(1);
    expect((await readFile(file, 'utf8')).trim()).toBe('');
  });

  it('begins now, or at --since, and continues where the cursor file ends', async () => {
    const { queries, run } = await start(200);
    const file = join(await temporaryDirectory(), 'cursor');
    const first = run(['--cursor-file', file, '--since', '2026-11-21T00:00:00Z']);
    await vi.waitUntil(() => queries.length > 1, { timeout });
    end('SIGINT');
    await first;
    expect(queries[0]).toContain('updated_since=2026-11-21T00%3A00%3A00.000Z');
    expect(await readFile(file, 'utf8')).toBe('next\n');
    const before = queries.length;
    const again = run(['--cursor-file', file]);
    await vi.waitUntil(() => queries.length > before, { timeout });
    end('SIGINT');
    await again;
    expect(queries[before]).toContain('cursor=next');
  });

  it.each([
    ['http://notlocalhost', true],
    ['http://127.0.0.1.shop.example', true],
    ['http://localhost:1', false],
  ])('notes whether %s is another machine: %j', async (address, isNoted) => {
    const { queries, run } = await start(200);
    const file = join(await temporaryDirectory(), 'cursor');
    // Nothing is new from here on, so that nothing is posted.
    await writeFile(file, 'next');
    const ended = run(['--cursor-file', file, '--forward-to', address]);
    await vi.waitUntil(() => queries.length > 0, { timeout });
    end('SIGINT');
    const { stderr } = await ended;
    expect(stderr.includes(`${address} is not on this machine; it receives the ids of orders.`)).toBe(
      isNoted,
    );
  });

  it.each([
    ['an address that is not http', ['--forward-to', 'ftp://127.0.0.1/'], 'Expected an http or https URL'],
    ['no address', [], "required option '--forward-to <url>' not specified"],
  ])('refuses %s', async (_, argv, message) => {
    const { code, stderr } = await runPayhooks(['listen', ...argv]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses a cursor file that it cannot write, before it posts anything', async () => {
    const { url, received } = await start(200);
    const file = join(await temporaryDirectory(), 'missing', 'cursor');
    const argv = ['listen', '--forward-to', url, '--cursor-file', file, '--local', url];
    const { code, stderr } = await runPayhooks(argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining('missing/cursor cannot be written.')]);
    expect(received).toEqual([]);
  });

  it('refuses a secret that is none, and does not print it', async () => {
    const { url } = await start(200);
    const file = join(await temporaryDirectory(), 'secret');
    await writeFile(file, 'whsec_short');
    const argv = ['listen', '--forward-to', url, '--secret-file', file, '--local', url];
    const { code, stderr } = await runPayhooks(argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining('holds no signing secret; expected whsec_')]);
    expect(stderr).not.toContain('whsec_short');
  });
});

describe('the message of a change', () => {
  const validate = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(schema);

  it('follows the schema of the order feed', () => {
    for (const message of [messageOf(order(), undefined), messageOf(refunded, order())]) {
      expect([validate(message), validate.errors]).toEqual([true, null]);
    }
  });

  it('has the id and the sequence of the feed, the condition before, and the events that are new', () => {
    expect(messageOf(refunded, order())).toMatchObject({
      // printf live:order:order-7:2 | sha256sum | cut -c1-32
      id: '221a0d40f8c4c3b49f8868c0ea7cbf1e',
      sequence: 2,
      previous: { status: 'paid', attention: [] },
      current: { status: 'refunded', attention: [] },
      caused_by: [{ id: 'e-2', event_name: 'transaction.refunded' }],
    });
  });

  it('is not sent for an event that changes neither status nor attention nor transactions', () => {
    expect(messageOf({ ...order(), sequence: 2, events: refunded.events }, order())).toBeUndefined();
  });
});
