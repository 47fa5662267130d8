import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { runReceiver } from '@payhooks/payment-service/testing';
import { expect, it, onTestFinished } from 'vitest';
import { runPayhooks } from './payhooks-process.ts';

interface Responses {
  readonly order: object;
  /** Of `GET /orders/{order_id}/events`: the responses in turn, the last one again and again. */
  readonly events: readonly { readonly status: number; readonly body: object }[];
}

const event = { id: 'evt-1', event_name: 'transaction.paid', sandbox: false };
const stdin = JSON.stringify({ ...event, payload: { transaction: { order_id: 'o-1' } } });
const waits = {
  event_id: 'evt-1',
  event_name: 'transaction.paid',
  kind: 'conflict',
  outcome: 'conflict',
  reason: null,
  received_at: '2026-11-21T10:00:00.000Z',
  body_sha256: createHash('sha256').update(stdin).digest('hex'),
};
const order = { order_id: 'o-1', status: 'paid', attention: [], transactions: [], events: [{ id: 'evt-1' }] };
const eventsOf = (more: object) => ({
  status: 200,
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
  const server = createServer(({ url = '' }, response) => {
    const outputs = { WebhookUrl: receiver.url, SignatureHeader: 'x-service-signature' };
    const stack = { stack: 'payhooks-local', outputs, endpoints: {}, region: 'us-east-1' };
    const of = () => events[Math.min(requests++, events.length - 1)] ?? { status: 500, body: {} };
    const { status, body } = url.includes('/events')
      ? of()
      : { status: 200, body: url === '/stack' ? stack : order };
    const type = status === 404 ? 'application/problem+json' : 'application/json';
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const env = { PAYHOOKS_PRIVATE_KEY: 'pri_live_key' };
  const command = ['send', '--file', '-', '--follow', ...argv, '--local', url];
  return { url, ...(await runPayhooks(command, { env, stdin })) };
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
});

it('payhooks send --follow ignores events of others that wait', async () => {
  const others = eventsOf({ waiting: [{ ...waits, body_sha256: '00' }] });
  const { code, stdout } = await follow({ order, events: [others] });
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, 'o-1 is paid after 1 event']);
});
