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

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Local mode, as far as this command asks it. Keeps the paths that it was asked for. */
async function startLocalMode(answer: (url: string) => Answer) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const stack = { stack: 'payhooks-local', outputs: {}, endpoints: {}, region: 'us-east-1' };
    if (url !== '/stack') asked.push(url);
    const { status, body } = url === '/stack' ? { status: 200, body: stack } : answer(url);
    const problem = status >= 400 ? 'application/problem+json' : 'application/json';
    response.writeHead(status, { 'content-type': problem }).end(JSON.stringify(body));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const run = (...argv: string[]) => runPayhooks(['order', ...argv, '--local', url]);
  return { asked, run };
}

const found = (url: string): Answer => ({
  status: 200,
  body: url.includes('/events') ? events : order,
});
const notFound: Answer = {
  status: 404,
  body: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No event has named this order.' },
};

describe('payhooks order', () => {
  it('shows the state of an order, what needs a person, and the events that say so', async () => {
    const { run, asked } = await startLocalMode(found);
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
    expect(asked.toSorted()).toEqual(['/orders/order%207/events?mode=live', '/orders/order%207?mode=live']);
  });

  it('prints the order as the order query gave it with --json', async () => {
    const { run, asked } = await startLocalMode(found);
    expect(JSON.parse((await run('order 7', '--json')).stdout)).toEqual(order);
    expect(asked).toEqual(['/orders/order%207?mode=live']);
  });

  it('looks at the sandbox with --sandbox, and says so', async () => {
    const { run, asked } = await startLocalMode((url) => {
      const { body } = found(url);
      return { status: 200, body: { ...(body as object), mode: 'sandbox' } };
    });
    expect((await run('order 7', '--sandbox')).stdout).toMatch(/^order 7 is paid in the sandbox\n/);
    expect(asked.every((url) => url.endsWith('?mode=sandbox'))).toBe(true);
  });

  it('says which mode does not know the order, and how to look at the other', async () => {
    const { run } = await startLocalMode(() => notFound);
    expect(await run('order-8')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('No live event has named the order order-8. See also: --sandbox'),
    });
  });

  it('ends with 3 where the order query refuses the operator, and names the permission', async () => {
    const { run } = await startLocalMode(() => ({ status: 403, body: { message: 'Forbidden' } }));
    expect(await run('order-8')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('execute-api:Invoke on the output OrderQueryInvokeArn'),
    });
  });

  it('ends with 2 for an id that no order can have', async () => {
    const { run, asked } = await startLocalMode(found);
    expect(await run('')).toMatchObject({ code: 2, stderr: expect.stringContaining('order') });
    expect(asked).toEqual([]);
  });

  it('ends with 4 where the order query of a stack in AWS does not answer', async () => {
    const name = 'payhooks-production';
    const endpoint = await startCloudFormation([{ name, outputs: { OrderQueryUrl: 'http://127.0.0.1:1' } }]);
    const env = { AWS_ENDPOINT_URL: endpoint };
    const ended = await spawnPayhooks(['order', 'order-1', '--stack', name], { env });
    expect(ended).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('The order query:') });
  });
});
