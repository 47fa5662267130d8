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

/** As much of local mode as this command needs. It records the requested paths. */
async function startLocalMode(respond: (url: string) => Response) {
  const requested: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const stack = { stack: 'payhooks-local', outputs: {}, endpoints: {}, region: 'us-east-1' };
    if (url !== '/stack') requested.push(url);
    const { status, body } = url === '/stack' ? { status: 200, body: stack } : respond(url);
    const problem = status >= 400 ? 'application/problem+json' : 'application/json';
    response.writeHead(status, { 'content-type': problem }).end(JSON.stringify(body));
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
const notFound: Response = {
  status: 404,
  body: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No event has named this order.' },
};

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
    expect(requested.toSorted()).toEqual([
      '/orders/order%207/events?mode=live',
      '/orders/order%207?mode=live',
    ]);
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

  it('names the mode that has no such order, and the option for the other', async () => {
    const { run } = await startLocalMode(() => notFound);
    expect(await run('order-8')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'No live event names the order order-8. For a sandbox order add --sandbox.',
      ),
    });
  });

  it('exits with 3 when the order query refuses the operator, and names the permission', async () => {
    const { run } = await startLocalMode(() => ({ status: 403, body: { message: 'Forbidden' } }));
    expect(await run('order-8')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('execute-api:Invoke on the output OrderQueryInvokeArn'),
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
