import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { expect, it, onTestFinished } from 'vitest';
import {
  conflict,
  type Operations,
  type OperationsRequest,
  respondToOperation,
} from '../doubles/operations-server.ts';
import { runPayhooks } from './payhooks-process.ts';

const order = {
  order_id: 'o-1',
  mode: 'live',
  status: 'paid',
  attention: ['disputed'],
  transactions: [],
  events: [],
  sequence: 2,
  updated_at: '2026-11-21T10:00:00.000Z',
};
const waits = {
  event_id: 'evt-1',
  event_name: 'transaction.paid',
  kind: 'conflict',
  reason: null,
  received_at: '2026-11-21T09:00:00.000Z',
};
const snapshot = { status: 'paid', attention: ['disputed'], transactions: [], sequence: 2 };
const change = { order_id: 'o-1', before: snapshot, after: { ...snapshot, attention: [], sequence: 3 } };
const resolved: Operations = ({ body }) => ({
  body: { act: 'resolve', changed: true, events: [], orders: [change], dry_run: body['dry_run'] },
});

/** Local mode with this order and these responses to acts. */
async function start(given: { attention?: string[]; waiting?: object[]; operations?: Operations } = {}) {
  const { attention = order.attention, waiting = [], operations = resolved } = given;
  const acts: OperationsRequest[] = [];
  const server = createServer(async (request, response) => {
    const url = request.url ?? '';
    const operate: Operations = (one) => {
      acts.push(one);
      return operations(one);
    };
    if (url.startsWith('/operations/')) return respondToOperation(request, response, operate);
    const stack = { stack: 'payhooks-local', outputs: {}, endpoints: {}, region: 'us-east-1' };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(url === '/stack' ? stack : { ...order, attention, waiting }));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const resolve = (...argv: string[]) => runPayhooks(['orders', 'resolve', 'o-1', ...argv, '--local', url]);
  return { resolve, bodies: () => acts.map(({ body }) => body) };
}

it('payhooks orders resolve shows what still waits for the order', async () => {
  const { resolve } = await start({ waiting: [waits] });
  const { stdout } = await resolve('--attention', 'disputed', '--reason', 'won', '--yes');
  expect(stdout).toContain('waits: transaction.paid evt-1 (conflict), received 2026-11-21T09:00:00.000Z');
  expect(stdout).toContain('→ npx payhooks events show evt-1');
});

it('payhooks orders resolve shows the order and what is judged, and sends the sequence that was shown', async () => {
  const { resolve, bodies } = await start();
  const { code, stdout } = await resolve('--attention', 'disputed', '--reason', 'won', '--yes');
  expect(stdout.split('\n')).toEqual([
    'o-1 is paid',
    'attention: disputed. A payment is disputed or was charged back. The status does not show that.',
    'sequence 2, changed 2026-11-21T10:00:00.000Z',
    '',
    'no transaction',
    '',
    'If you resolve it, o-1 no longer lists “Disputed”, until a new fact arrives. No money moves.',
    'o-1  stays paid',
    '  - attention  disputed',
    'Resolved “Disputed” of o-1.',
    '',
  ]);
  expect(code).toBe(0);
  const subject = { mode: 'live', order_id: 'o-1', sequence: 2, attention: ['disputed'], reason: 'won' };
  expect(bodies()).toEqual([
    { ...subject, dry_run: true },
    { ...subject, dry_run: true },
    { ...subject, dry_run: false },
  ]);
});

it('payhooks orders resolve resolves the only attention without its name, and several only by name', async () => {
  const one = await start();
  expect((await one.resolve('--dry-run')).code).toBe(0);
  expect(one.bodies()).toMatchObject([{ attention: ['disputed'], dry_run: true }]);
  const two = await start({ attention: ['disputed', 'currency_mixed'] });
  expect(await two.resolve('--dry-run')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('o-1 lists disputed, currency_mixed. Name those that you have judged'),
  });
  expect((await two.resolve('--attention', 'disputed', 'currency_mixed', '--dry-run')).code).toBe(0);
  expect(two.bodies()).toMatchObject([{ attention: ['disputed', 'currency_mixed'] }]);
});

it('payhooks orders resolve without a confirmation changes nothing', async () => {
  const { resolve, bodies } = await start();
  const { code, stderr } = await resolve('--attention', 'disputed', '--reason', 'won');
  expect([code, stderr.includes('Resolve “Disputed” of o-1?')]).toEqual([2, true]);
  expect(bodies().map(({ dry_run }) => dry_run)).toEqual([true]);
});

it('payhooks orders resolve ends with 1 and the reason when the order has changed meanwhile', async () => {
  const detail = 'The order "o-1" has the sequence 3 now, and not 2: it changed since you saw it.';
  const { resolve } = await start({ operations: () => conflict(detail) });
  expect(await resolve('--reason', 'won', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(detail),
  });
});

it('payhooks orders resolve ends with 1 for an order that lists no attention', async () => {
  const { resolve, bodies } = await start({ attention: [] });
  expect(await resolve('--reason', 'won', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('o-1 lists no attention: there is nothing to resolve.'),
  });
  expect(bodies()).toEqual([]);
});
