import { createHash, createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Received, runReceiver, startService } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { startCloudFormation } from '../doubles/cloudformation.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import type { OperationsResponse } from '../doubles/operations-server.ts';
import { startLocalMode } from './local-mode.ts';
import { runPayhooks, spawnPayhooks, temporaryDirectory } from './payhooks-process.ts';

const keys = '{"private_keys":[{"key":"pri_live_key"},{"key":"pri_old_key"},{"key":"pri_sandbox_key"}]}';
const signed = (body: string, key: string) => createHmac('sha256', key).update(body).digest('hex');

/** A stack whose webhooks go to a receiver that responds with these statuses. */
async function start(...statuses: number[]) {
  const receiver = await runReceiver(...statuses);
  const stack = await startLocalStack({ keys, outputs: { WebhookUrl: receiver.url } });
  const send = (...argv: string[]) => runPayhooks(['send', ...argv, '--local', stack.url]);
  return { ...receiver, stack, send };
}

describe('payhooks send', () => {
  it('refuses files without a client certificate before it sends anything', async () => {
    const { received, send } = await start(202);
    const file = join(await temporaryDirectory(), 'certificate.pem');
    await writeFile(file, 'no PEM');
    const [certificate, key] = [
      ['--client-certificate', file],
      ['--client-key', file],
    ];
    for (const [argv, message] of [
      [[...certificate, ...key], 'are not a certificate and its private key in PEM'],
      [
        [...certificate, '--client-key', `${file}.x`],
        `The file ${file}.x cannot be read: it does not exist.`,
      ],
      [key, 'needs both: --client-certificate FILE and --client-key FILE'],
    ] as const) {
      expect(await send(...argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    }
    expect(received).toEqual([]);
  });

  it('shows neither the signature nor the key of a response that repeats them', async () => {
    const repeat = ({ signature }: Received) => ({ json: { message: `${signature} of pri_live_key` } });
    const { baseUrl, received } = await startService(repeat);
    const stack = await startLocalStack({ keys, outputs: { WebhookUrl: `${baseUrl}/webhooks/payments` } });
    const { stdout } = await runPayhooks(['send', '--json', '--local', stack.url]);
    expect(JSON.parse(stdout).responses[0].body).toBe('{"message":"[secret] of [secret]"}');
    expect(received).toHaveLength(1);
  });

  it('signs a sample event with the live key of the stack and posts it', async () => {
    const { received, stack } = await start(202);
    const argv = ['send', '--order', 'order-7', '--amount', '12.50', '--local', stack.url];
    const { code, stdout } = await spawnPayhooks(argv);
    const { body = '', signature, headers } = received[0] ?? {};
    expect(signature).toBe(signed(body, 'pri_live_key'));
    expect(headers?.['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toMatchObject({
      event_name: 'transaction.paid',
      sandbox: false,
      payload: { transaction: { order_id: 'order-7', amount: '12.50', currency: 'USD' } },
    });
    expect(stdout).toBe(
      '202 acknowledged\n' +
        `transaction.paid of ${body.length} bytes, event ${JSON.parse(body).id}, order order-7\n`,
    );
    expect(code).toBe(0);
  });

  it('signs a sandbox event with the sandbox key', async () => {
    const { received, send } = await start(202);
    await send('--sandbox', '--event', 'transaction.refunded', '--transaction', 'transaction-1');
    const { body = '', signature } = received[0] ?? {};
    expect(signature).toBe(signed(body, 'pri_sandbox_key'));
    expect(JSON.parse(body)).toMatchObject({
      event_name: 'transaction.refunded',
      sandbox: true,
      payload: { transaction: { id: 'transaction-1' } },
    });
  });

  it('sends a file byte for byte, to any endpoint, in any header', async () => {
    const { received, url } = await start(200);
    const file = join(await temporaryDirectory(), 'body.json');
    await writeFile(file, ' {"sandbox": false}\r\n');
    const env = { PAYHOOKS_PRIVATE_KEY: 'pri_own_key' };
    const argv = ['send', '--file', file, '--url', url, '--header', 'X-Own-Signature'];
    const { code, stdout } = await runPayhooks(argv, { env });
    expect(received[0]?.body).toBe(' {"sandbox": false}\r\n');
    expect(received[0]?.headers['x-own-signature']).toBe(signed(' {"sandbox": false}\r\n', 'pri_own_key'));
    expect(stdout).toBe('200 acknowledged\nbody of 21 bytes, event without an id, no order\n');
    expect(code).toBe(0);
  });

  it('sends standard input, and repeats the same bytes', async () => {
    const { received, stack } = await start(202);
    const argv = ['send', '--file', '-', '--repeat', '3', '--local', stack.url, '--json'];
    const { stdout } = await runPayhooks(argv, { stdin: '{"id":"e-1"}' });
    expect(received.map(({ body }) => body)).toEqual(['{"id":"e-1"}', '{"id":"e-1"}', '{"id":"e-1"}']);
    const responses = [{ status: 202 }, { status: 202 }, { status: 202 }];
    expect(JSON.parse(stdout)).toMatchObject({ event_id: 'e-1', order_id: null, bytes: 12, responses });
  });

  it.each([
    [403, '403 not acknowledged: no key matches; a new one counts after 10 s'],
    [302, '302 not acknowledged: it would be delivered again'],
  ])('exits with 1 for status %s and explains it', async (status, meaning) => {
    const { send, received } = await start(202, status);
    const { code, stdout } = await send('--repeat', '5');
    // It repeats up to the first response that does not acknowledge.
    expect([code, stdout.split('\n')[1], received.length]).toEqual([1, meaning, 2]);
  });

  it('exits with 4 when the endpoint does not respond', async () => {
    const env = { PAYHOOKS_PRIVATE_KEY: 'pri_own_key' };
    const { code, stderr } = await runPayhooks(['send', '--url', 'http://127.0.0.1:2/'], { env });
    expect([code, stderr]).toEqual([4, 'error: http://127.0.0.1:2 did not respond: ECONNREFUSED.\n']);
  });

  it('asks before it sends a live event to a stack in AWS, which records it as real', async () => {
    const { received, url } = await runReceiver(202);
    const AWS_ENDPOINT_URL = await startCloudFormation([
      {
        name: 'payhooks-a',
        outputs: {
          PayhooksDeployment: 'payhooks-a',
          WebhookUrl: url,
          SignatureHeader: 'x-service-signature',
        },
      },
    ]);
    const env = { AWS_ENDPOINT_URL, PAYHOOKS_PRIVATE_KEY: 'pri_live_key' };
    const argv = ['send', '--order', 'order-1', '--stack', 'payhooks-a'];
    const refused = await spawnPayhooks(argv, { env });
    expect(refused.stderr).toContain(
      'Send transaction.paid of order-1 to payhooks-a? It is recorded as real',
    );
    expect([refused.code, received]).toEqual([2, []]);
    expect((await spawnPayhooks([...argv, '--yes'], { env })).code).toBe(0);
    expect(received).toHaveLength(1);
  });

  it('fails when the stack has no accepted key of the mode', async () => {
    const { url } = await startLocalStack({ keys: 'pri_live_key' });
    const { code, stderr } = await runPayhooks(['send', '--sandbox', '--local', url]);
    expect([code, stderr.includes('holds no accepted sandbox key')]).toEqual([1, true]);
  });
});

interface Responses {
  readonly order: object;
  /** Of `GET /orders/{order_id}/events`: the responses in turn, the last one again and again. */
  readonly events: readonly OperationsResponse[];
}

const event = { id: 'evt-1', event_name: 'transaction.paid', sandbox: false };
const stdin = JSON.stringify({ ...event, payload: { transaction: { order_id: 'o-1' } } });
const waits = {
  ...{ event_id: 'evt-1', event_name: 'transaction.paid', received_at: '2026-11-21T10:00:00.000Z' },
  ...{ kind: 'conflict', reason: null, body_sha256: createHash('sha256').update(stdin).digest('hex') },
};
const order = { order_id: 'o-1', status: 'paid', attention: [], transactions: [], events: [{ id: 'evt-1' }] };
const eventsOf = (more: object) => ({
  body: { order_id: 'o-1', events: [{ id: 'evt-1' }], waiting: [], acts: [], ...more },
});
const notFound = (waiting: readonly object[]) => ({
  status: 404,
  body: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'None counts.', waiting, acts: [] },
});

/** Sends the event to a local mode with these responses, and follows it. */
async function follow({ order, events }: Responses, ...argv: string[]) {
  const receiver = await runReceiver(202);
  let requests = 0;
  const { url, payhooks } = await startLocalMode({
    outputs: { WebhookUrl: receiver.url },
    views(path) {
      if (!path.includes('/events')) return { body: order };
      return events[Math.min(requests++, events.length - 1)] ?? { status: 500, body: {} };
    },
  });
  const env = { PAYHOOKS_PRIVATE_KEY: 'pri_live_key' };
  return { url, ...(await payhooks(['send', '--file', '-', '--follow', ...argv], { env, stdin })) };
}

it('payhooks send --follow shows the order once it counts the event', async () => {
  const { code, stdout } = await follow({ order, events: [notFound([]), eventsOf({})] });
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, 'o-1 is paid after 1 event']);
});

it('payhooks send --follow ends with 1 when the event waits, and shows the reason and the next command', async () => {
  const waiting = [{ ...waits, kind: 'quarantined', reason: 'sandbox_flag_missing' }];
  const { code, stdout, url } = await follow({ order: {}, events: [notFound(waiting)] });
  expect([code, stdout.split('\n').slice(2)]).toEqual([
    1,
    [
      'waits: transaction.paid evt-1 (quarantined, sandbox_flag_missing), received 2026-11-21T10:00:00.000Z',
      `  → npx payhooks events show evt-1 --local ${url}`,
      '',
    ],
  ]);
});

it('payhooks send --follow does not take another body under the same id for the one that it sent', async () => {
  const { code, stdout } = await follow({ order, events: [eventsOf({ waiting: [waits] })] }, '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { order: { order_id: 'o-1' }, waiting: [waits] }]);
  const others = eventsOf({ waiting: [{ ...waits, body_sha256: '00' }] });
  expect((await follow({ order, events: [others] })).code).toBe(0);
});
