import { describe, expect, it } from 'vitest';
import type { OperationsResponse } from '../doubles/operations-server.ts';
import { startLocalMode } from './local-mode.ts';

/** Local mode with this order query, whose requests it records. */
async function start(respond: (url: string) => OperationsResponse) {
  const requested: string[] = [];
  const views = (url: string) => {
    requested.push(url);
    return respond(url);
  };
  return { requested, ...(await startLocalMode({ views })) };
}

const order = {
  order_id: 'order 7',
  mode: 'live',
  status: 'paid',
  attention: ['conflicting_event'],
  transactions: [
    { id: 'txn-1', status: 'paid', amount: '100.00', returned: null, currency: 'USD', created_at: null },
  ],
  events: [
    {
      ...{ id: 'evt-1', event_name: 'transaction.paid', meaning: 'paid', amount: '100.00', currency: 'USD' },
      received_at: '2026-11-21T10:00:00.000Z',
    },
  ],
  sequence: 2,
  updated_at: '2026-11-21T10:00:00.100Z',
};
const hash = 'ab'.repeat(32);
const waiting = [
  {
    ...{ event_id: "evt'2", event_name: 'transaction.paid', received_at: '2026-11-21T10:00:05.000Z' },
    ...{ kind: 'quarantined', reason: 'sandbox_flag_missing', body_sha256: hash },
    ...{ meaning: 'paid', amount: '7.00', currency: 'EUR' },
  },
];
const acts = [
  {
    ...{ act: 'resolve', attention: 'disputed', event_id: null, order_id: 'order 7', reason: 'by phone' },
    ...{ by: 'arn:aws:iam::111122223333:user/ana', at: '2026-11-21T11:00:00.000Z' },
  },
];
const other = {
  outcome: 'conflict',
  received_at: '2026-11-21T10:00:01.000Z',
  counts: false,
  amount: '40.00',
};
const detail = { ...order.events[0], outcome: 'applied', counts: true, others: [other] };
const money = { amount: '100.00', currency: 'USD' };
const reasons = [
  { rule: 'payment_counted', transaction_id: 'txn-1', event_ids: ['evt-1'], ...money },
  { rule: 'conflicting_event', transaction_id: null, event_ids: ['evt-1'], amount: null, currency: null },
];
const events = { order_id: order.order_id, mode: order.mode, reasons, events: [detail], waiting, acts };

const found = (url: string): OperationsResponse => ({
  body: url.includes('/events') ? events : order,
});
const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No such order.' };
const notFound: OperationsResponse = { status: 404, body: { ...problem, waiting: [], acts: [] } };
const forbidden: OperationsResponse = { status: 403, body: { message: 'Forbidden' } };

describe('payhooks orders show', () => {
  it('shows the state of an order, each attention with its meaning, all bodies, what waits and acts', async () => {
    const { run, requested, url } = await start(found);
    const { code, stdout } = await run('orders', 'show', 'order 7');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'order 7 is paid',
      'attention: conflicting_event. Two different events have the same id. One counts; both are kept.',
      'sequence 2, changed 2026-11-21T10:00:00.100Z',
      '',
      'TRANSACTION  STATUS  MONEY       CREATED',
      'txn-1        paid    100.00 USD  -',
      'why: A payment of 100.00 USD counts. evt-1',
      '',
      'RECEIVED              EVENT                               ID     OUTCOME',
      '2026-11-21T10:00:00Z  payment of 100.00 USD               evt-1  applied',
      '2026-11-21T10:00:01Z    other body: payment of 40.00 USD  evt-1  conflict',
      '',
      "waits: payment of 7.00 EUR evt'2 (quarantined, sandbox_flag_missing), received",
      '2026-11-21T10:00:05.000Z',
      `  → npx payhooks events show 'evt'\\''2' --local ${url}`,
      '',
      'AT                    ACT      SUBJECT   BY   REASON',
      '2026-11-21T11:00:00Z  resolve  disputed  ana  by phone',
      '',
    ]);
    const path = '/orders/order%207';
    expect(requested.toSorted()).toEqual([`${path}/events?mode=live`, `${path}?mode=live`]);
  });

  it('names the transaction of each reason when there are several, and three events at most', async () => {
    const several = [
      { ...reasons[0], transaction_id: 'txn-2', event_ids: ['a', 'b', 'c', 'd'] },
      { ...reasons[0], rule: 'payment_failed' },
    ];
    const { run } = await start((url) =>
      url.includes('/events') ? { body: { ...events, reasons: several } } : found(url),
    );
    const { stdout } = await run('orders', 'show', 'order 7');
    expect(stdout.split('\n').filter((line) => line.startsWith('why'))).toEqual([
      'why: A payment of 100.00 USD counts; 4 events report it. txn-2, a, b, c, …',
      'why: A payment failed: no money came in. txn-1, evt-1',
    ]);
  });

  it.each([
    ['live', []],
    ['sandbox', ['--sandbox']],
  ])('suggests a command that finds every event that waits for a %s order', async (mode, options) => {
    const body = { ...events, mode, waiting_complete: false };
    const { run, url } = await start((path) => (path.includes('/events') ? { body } : found(path)));
    const command = [
      "npx payhooks events list --waiting --order 'order 7'",
      ...options,
      `--local ${url}`,
    ].join(' ');
    expect((await run('orders', 'show', 'order 7', ...options)).stderr).toContain(
      `More events wait than were searched for this order. To search all of them:\n→ ${command}\n`,
    );
    const all = await start(found);
    expect((await all.run('orders', 'show', 'order 7')).stderr).not.toContain('events list');
  });

  it('suggests to resolve each attention once nothing waits, except one that cannot be resolved', async () => {
    const attention = ['disputed', 'currency_mixed', 'too_many_events'];
    const { run, url } = await start((path) => ({
      body: path.includes('/events') ? { ...events, waiting: [] } : { ...order, attention },
    }));
    const { stderr } = await run('orders', 'show', 'order 7');
    expect(stderr.split('\n').slice(-4)).toEqual([
      'Once the money is settled, and the order above is as it should be:',
      `→ npx payhooks orders resolve 'order 7' --attention disputed --local ${url}`,
      `→ npx payhooks orders resolve 'order 7' --attention currency_mixed --local ${url}`,
      '',
    ]);
    const waits = await start(found);
    expect((await waits.run('orders', 'show', 'order 7')).stderr).not.toContain('resolve');
  });

  it.each([[['order']], [['orders']], [['order', 'show']]])(
    'as %j prints one document with --json',
    async (words) => {
      const { run } = await start(found);
      const { stdout } = await run(...words, 'order 7', '--json');
      expect(JSON.parse(stdout)).toEqual({ ...order, ...events });
    },
  );

  it('shows the sandbox order with --sandbox', async () => {
    const { run, requested } = await start((url) => {
      const { body } = found(url);
      return { body: { ...(body as object), mode: 'sandbox' } };
    });
    const { stdout } = await run('order', 'order 7', '--sandbox');
    expect(stdout).toMatch(/^order 7 is paid in the sandbox\n/);
    expect(stdout).toContain("payhooks events show 'evt'\\''2' --sandbox --local");
    expect(requested.every((url) => url.endsWith('?mode=sandbox'))).toBe(true);
  });

  it('exits with 1 for an order that only waiting events name, and shows each with the next command', async () => {
    const detail = 'One live event that names the order "order-8" waits for a person; none counts yet.';
    const missing = { ...problem, detail, waiting, acts: [] };
    const { run, url } = await start(() => ({ status: 404, body: missing }));
    expect(await run('orders', 'show', 'order-8')).toMatchObject({
      code: 1,
      stdout:
        `${detail}\n` +
        "waits: payment of 7.00 EUR evt'2 (quarantined, sandbox_flag_missing), received\n" +
        '2026-11-21T10:00:05.000Z\n' +
        `  → npx payhooks events show 'evt'\\''2' --local ${url}\n`,
    });
    const { code, stdout } = await run('orders', 'show', 'order-8', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([1, missing]);
  });

  it.each<[string, OperationsResponse, number, string]>([
    ['1 when no event names the order', notFound, 1, 'No such order. For a sandbox order add --sandbox.'],
    [
      '3 when the order query refuses the operator',
      forbidden,
      3,
      'It needs execute-api:Invoke on the output',
    ],
  ])('exits with %s, and suggests what to do', async (_, response, code, message) => {
    const { run } = await start(() => response);
    expect(await run('order', 'order-8')).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

describe('payhooks orders list', () => {
  const listed = (id: string) => ({ ...order, order_id: id, updated_at: new Date().toISOString() });
  /** Pages of one order each. */
  const pages =
    (...ids: string[]) =>
    (url: string): OperationsResponse => {
      const at = Number(new URL(url, 'http://a').searchParams.get('cursor') ?? 0);
      const next_cursor = at + 1 < ids.length ? String(at + 1) : null;
      return { body: { orders: [listed(ids[at] ?? '')], next_cursor } };
    };

  it('lists orders, the newest first, with their money and attention', async () => {
    const { run, requested, url } = await start(pages('order-1', 'order-2'));
    const { code, stdout, stderr } = await run('orders');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'CHANGED                   ORDER    STATUS  MONEY       ATTENTION',
      expect.stringMatching(/^20\S+Z {2}order-1 {2}paid {4}100\.00 USD {2}conflicting_event$/),
      expect.stringMatching(/^20\S+Z {2}order-2 {2}paid {4}100\.00 USD {2}conflicting_event$/),
      '',
    ]);
    expect(stderr).toContain(`→ npx payhooks orders show order-1 --local ${url}`);
    expect(requested).toEqual([
      '/orders?sort_order=desc&mode=live&limit=20',
      '/orders?sort_order=desc&mode=live&limit=20&cursor=1',
    ]);
  });

  it('passes its filters to the order query, and reads pages until the limit', async () => {
    const { run, requested } = await start(pages('a', 'b', 'c'));
    const span = ['--since', '2026-11-21T10:00:00+01:00', '--until', '2026-11-22T10:00:00Z'];
    const filters = ['--status', 'paid', '--attention', ...span, '--oldest', '--sandbox'];
    const { stdout } = await run('orders', 'list', ...filters, '--limit', '2', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      orders: [{ order_id: 'a' }, { order_id: 'b' }],
      has_more: true,
    });
    const query =
      'status=paid&attention=any&updated_since=2026-11-21T09%3A00%3A00.000Z' +
      '&updated_until=2026-11-22T10%3A00%3A00.000Z&sort_order=asc&mode=sandbox&limit=100';
    expect(requested).toEqual([`/orders?${query}`, `/orders?${query}&cursor=1`]);
  });

  it('shows where the list ends when there are more orders, and when there is none', async () => {
    const { run } = await start(pages('a', 'b'));
    expect((await run('orders', 'list', '--limit', '1')).stdout).toContain(
      'There are more: the list ends at --limit 1.\n',
    );
    const empty = await start(() => ({ body: { orders: [], next_cursor: null } }));
    expect((await empty.run('orders', 'list', '--attention', 'disputed')).stdout).toBe('No order matches.\n');
  });
});
