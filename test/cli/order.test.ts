import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCloudFormation } from '../doubles/cloudformation.ts';
import { runPayhooks, spawnPayhooks } from './payhooks-process.ts';

const order = {
  order_id: 'order 7',
  mode: 'live',
  status: 'paid',
  attention: ['conflicting_event'],
  transactions: [{ id: 'txn-1', status: 'paid', amount: '100.00', currency: 'USD', created_at: null }],
  events: [{ id: 'evt-1', event_name: 'transaction.paid', received_at: '2026-11-21T10:00:00.000Z' }],
  sequence: 2,
  updated_at: '2026-11-21T10:00:00.100Z',
};
const detail = { ...order.events[0], outcome: 'applied', transaction_id: 'txn-1', recorded_at: null };
const events = { order_id: order.order_id, mode: order.mode, events: [detail] };

interface Response {
  readonly status: number;
  readonly body: unknown;
}

/** The part of local mode that the command uses. It records the requested paths. */
async function startLocalMode(respond: (url: string) => Response) {
  const requested: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const stack = { stack: 'payhooks-local', outputs: {}, endpoints: {}, region: 'us-east-1' };
    if (url !== '/stack') requested.push(url);
    const { status, body } = url === '/stack' ? { status: 200, body: stack } : respond(url);
    const type = status >= 400 ? 'application/problem+json' : 'application/json';
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const run = (...argv: string[]) => runPayhooks(['order', ...argv, '--local', url]);
  return { requested, run };
}

const found = (url: string): Response => ({
  status: 200,
  body: url.includes('/events') ? events : order,
});
const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No such order.' };
const notFound: Response = { status: 404, body: problem };
const forbidden: Response = { status: 403, body: { message: 'Forbidden' } };

describe('payhooks order', () => {
  it('shows the state of an order, its attention and its events', async () => {
    const { run, requested } = await startLocalMode(found);
    const { code, stdout } = await run('order 7');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'order 7 is paid',
      'attention: conflicting_event',
      'sequence 2, changed 2026-11-21T10:00:00.100Z',
      '',
      'TRANSACTION  STATUS  AMOUNT  CURRENCY  CREATED',
      'txn-1        paid    100.00  USD       -',
      '',
      'RECEIVED                  EVENT             ID     OUTCOME',
      '2026-11-21T10:00:00.000Z  transaction.paid  evt-1  applied',
      '',
    ]);
    const path = '/orders/order%207';
    expect(requested.toSorted()).toEqual([`${path}/events?mode=live`, `${path}?mode=live`]);
  });

  it('prints the response of the order query with --json', async () => {
    const { run, requested } = await startLocalMode(found);
    expect(JSON.parse((await run('order 7', '--json')).stdout)).toEqual(order);
    expect(requested).toEqual(['/orders/order%207?mode=live']);
  });

  it('shows the sandbox order with --sandbox', async () => {
    const { run, requested } = await startLocalMode((url) => {
      const { body } = found(url);
      return { status: 200, body: { ...(body as object), mode: 'sandbox' } };
    });
    expect((await run('order 7', '--sandbox')).stdout).toMatch(/^order 7 is paid in the sandbox\n/);
    expect(requested.every((url) => url.endsWith('?mode=sandbox'))).toBe(true);
  });

  it.each<[string, Response, number, string]>([
    ['1 when no event names the order', notFound, 1, 'the order order-8. For a sandbox order add --sandbox.'],
    [
      '3 when the order query refuses the operator',
      forbidden,
      3,
      'It needs execute-api:Invoke on the output',
    ],
  ])('exits with %s, and suggests what to do', async (_, response, code, message) => {
    const { run } = await startLocalMode(() => response);
    expect(await run('order-8')).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('exits with 2 for an impossible order id', async () => {
    const { run, requested } = await startLocalMode(found);
    expect(await run('')).toMatchObject({ code: 2, stderr: expect.stringContaining('order') });
    expect(requested).toEqual([]);
  });

  it('exits with 4 when the order query of a stack in AWS cannot be reached', async () => {
    const name = 'payhooks-production';
    const endpoint = await startCloudFormation([{ name, outputs: { OrderQueryUrl: 'http://127.0.0.1:1' } }]);
    const env = { AWS_ENDPOINT_URL: endpoint };
    const ended = await spawnPayhooks(['order', 'order-1', '--stack', name], { env });
    expect(ended).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('The order query:') });
  });
});
