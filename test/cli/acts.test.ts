import { describe, expect, it } from 'vitest';
import type { Operations, OperationsRequest } from '../doubles/operations-server.ts';
import { startLocalMode } from './local-mode.ts';

const payment = { id: 'txn-1', status: 'paid', amount: '100.00', returned: null, currency: 'USD' };
const paid = { status: 'paid', attention: [], transactions: [payment], sequence: 1 };
const refunded = {
  ...{ status: 'refunded', attention: ['conflicting_event'], sequence: 2 },
  transactions: [{ ...payment, status: 'refunded', returned: '100.00' }],
};
const change = { order_id: 'order-1', before: paid, after: refunded };

/** What the operations API returns to an act. */
function acted({ route, body }: OperationsRequest, fields: Readonly<Record<string, unknown>> = {}) {
  const by = { by: 'arn:aws:iam::123456789012:user/kim', at: '2026-11-22T03:00:00.000Z' };
  const event = {
    ...{ event_id: 'evt-1', body_sha256: '1'.repeat(64), event_name: 'transaction.refunded' },
    ...{ meaning: 'refunded', amount: '100.00', currency: 'USD' },
    before: { outcome: 'unassigned', waiting: 'unassigned' },
    after: { outcome: 'applied', waiting: null },
  };
  return {
    body: {
      ...{ act: route.split('/').at(-1), mode: body['mode'], dry_run: body['dry_run'], changed: true },
      ...{ ...by, reason: body['reason'] ?? '', events: [event], orders: [change] },
      ...fields,
    },
  };
}

/** Local mode with these responses to acts, and these orders. */
async function start(operations: Operations = acted, views: Readonly<Record<string, unknown>> = {}) {
  const { payhooks, requests } = await startLocalMode({ operations, views });
  const bodies = () => requests.map(({ body }) => body);
  return { payhooks, requests, bodies, dryRuns: () => bodies().map((body) => body['dry_run']) };
}

const admit = ['events', 'admit', 'evt-1'];
const yes = ['--reason', 'a test', '--yes'];
const preview = [
  'If you apply the refund of 100.00 USD, its transaction joins the order, with everything else that',
  'waits for it.',
  'event evt-1  refund of 100.00 USD  unassigned (waits) -> applied',
  'order-1  paid -> refunded',
  '  - transaction txn-1  payment of 100.00 USD',
  '  + transaction txn-1  payment of 100.00 USD, 100.00 returned',
  '  + attention  conflicting_event',
];

const applied = 'Applied refund of 100.00 USD to order-1.';

/** The order keeps a warning. */
const look = (order: string) => expect.stringContaining(`→ npx payhooks orders show ${order} --local `);

describe('an act at the command line', () => {
  it('shows what would change in each order before it acts', async () => {
    const { payhooks, requests } = await start();
    const { code, stdout } = await payhooks([...admit, ...yes]);
    expect([code, stdout.split('\n')]).toEqual([0, [...preview, applied, look('order-1'), '']]);
    const given = { mode: 'live', event_id: 'evt-1', reason: 'a test' };
    expect(requests.map(({ route, body }) => [route, body])).toEqual([
      ['POST /operations/admit', { ...given, dry_run: true }],
      ['POST /operations/admit', { ...given, dry_run: true }],
      ['POST /operations/admit', { ...given, dry_run: false }],
    ]);
  });

  it('asks a person for the reason and for a confirmation after the preview', async () => {
    const { payhooks, bodies } = await start();
    const { code, stdout, stderr } = await payhooks(admit, { typed: ['confirmed by phone', 'y'] });
    expect([code, stdout.includes(applied)]).toEqual([0, true]);
    expect(stderr).toMatch(
      /Why\? It is kept with the act: .*Apply refund of 100\.00 USD to order-1\? \[y\/N\]/s,
    );
    expect(bodies()[2]).toMatchObject({ dry_run: false, reason: 'confirmed by phone' });
  });

  it.each([
    ['a no', ['confirmed', 'n'], 'Not confirmed; nothing was changed.'],
    ['an empty reason', [' '], 'The reason is empty; nothing was changed.'],
  ])('changes nothing after %s', async (_, typed, message) => {
    const { payhooks, dryRuns } = await start();
    const { code, stderr } = await payhooks(admit, { typed });
    expect([code, stderr.includes(message), dryRuns()]).toEqual([2, true, [true]]);
  });

  it('without a terminal requires --reason before any request, and --yes after the preview', async () => {
    const { payhooks, dryRuns } = await start();
    const unexplained = await payhooks([...admit, '--yes']);
    expect([unexplained.code, unexplained.stderr.includes('--reason is missing')]).toEqual([2, true]);
    expect(dryRuns()).toEqual([]);
    const { code, stderr } = await payhooks([...admit, '--reason', 'a test']);
    expect([code, stderr.includes('Run the command again with --yes'), dryRuns()]).toEqual([2, true, [true]]);
  });

  it('with --dry-run ends after the preview and needs no reason', async () => {
    const { payhooks, bodies } = await start();
    const { code, stdout } = await payhooks([...admit, '--dry-run']);
    expect([code, stdout.split('\n')]).toEqual([0, [...preview, '']]);
    expect(bodies()).toEqual([{ mode: 'live', event_id: 'evt-1', dry_run: true }]);
  });

  /** Another order changes after the first dry run. */
  const changing = () => {
    let count = 0;
    return start((request) => {
      count += 1;
      return acted(request, count === 1 ? {} : { orders: [{ ...change, order_id: 'order-2' }] });
    });
  };
  const shownAgain = [
    'Something else changed meanwhile, so nothing was done. It would now do this:',
    ...preview.map((line) => line.replace('order-1', 'order-2')),
  ];

  it('shows what something else has changed since the preview, and asks again', async () => {
    const { payhooks, dryRuns } = await changing();
    const { code, stdout } = await payhooks(admit, { typed: ['by phone', 'y', 'y'] });
    expect(stdout.split('\n').slice(preview.length)).toEqual([
      ...shownAgain,
      applied.replace('order-1', 'order-2'),
      look('order-2'),
      '',
    ]);
    expect([code, dryRuns()]).toEqual([0, [true, true, true, false]]);
  });

  it('with --yes does nothing, and exits with 1, when something else has changed since the preview', async () => {
    const { payhooks, dryRuns } = await changing();
    const { code, stdout, stderr } = await payhooks([...admit, ...yes]);
    expect(stdout.split('\n').slice(preview.length)).toEqual([...shownAgain, '']);
    expect([code, stderr.includes('nothing was done. Run it again.')]).toEqual([1, true]);
    expect(dryRuns()).toEqual([true, true]);
  });

  it('prints the response of the act and nothing else with --json', async () => {
    const { payhooks } = await start();
    const { stdout, stderr } = await payhooks([...admit, ...yes, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ act: 'admit', dry_run: false, reason: 'a test' });
    expect(stderr).toBe('');
    const dryRun = await payhooks([...admit, '--dry-run', '--json']);
    expect(JSON.parse(dryRun.stdout)).toMatchObject({ act: 'admit', dry_run: true });
  });

  it('shows a person what the question is about, also with --json', async () => {
    const { payhooks } = await start();
    const { stdout, stderr } = await payhooks([...admit, '--reason', 'a test', '--json'], { typed: ['y'] });
    expect(stderr).toContain(preview.join('\n'));
    expect(JSON.parse(stdout)).toMatchObject({ act: 'admit', dry_run: false });
  });

  it('may have been done when its response does not show that', async () => {
    const body = { type: 'about:blank', title: 'Not Implemented', status: 501, detail: 'broken' };
    const { payhooks } = await start((request) =>
      request.body['dry_run'] ? acted(request) : { status: 501, body },
    );
    const { code, stdout, stderr } = await payhooks([...admit, ...yes]);
    expect(stdout).not.toContain('Applied');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\nIt may have been done\. .*\nerror: /)]);
  });

  it.each([
    [404, { detail: 'No live event has the id "evt-1".' }, 'id "evt-1". For a sandbox one add --sandbox.\n'],
    [
      400,
      { detail: 'The field order_id is missing.', parameter: 'order_id' },
      'is missing. To give it: --order ORDER_ID\n',
    ],
    [409, { detail: 'The event "evt-1" was dismissed by kim.' }, 'was dismissed by kim.'],
  ])('shows what a response with %i forbids, and the option that it asks for', async (status, given, end) => {
    const problem = { type: 'about:blank', title: 'Wrong', status, ...given };
    const { payhooks } = await start(() => ({ status, body: problem }));
    const { code, stderr } = await payhooks([...admit, '--dry-run']);
    expect([code, stderr.split('error: ')[1]]).toEqual([1, expect.stringContaining(end)]);
    expect(stderr).not.toContain('The operations API');
  });
});

describe('payhooks events admit and dismiss', () => {
  it('pass on the event, the body, the name, the order and the mode that the operator names', async () => {
    const { payhooks, requests } = await start();
    const hash = '1'.repeat(64);
    const byHash = ['--body-sha256', hash];
    await payhooks([...admit, '--order', 'order-9', ...byHash, '--sandbox', '--dry-run']);
    await payhooks(['events', 'admit', ...byHash, '--dry-run']);
    await payhooks(['events', 'dismiss', ...byHash, '--dry-run']);
    await payhooks(['events', 'dismiss', '--name', 'transaction.odd', '--dry-run']);
    const inSandbox = { mode: 'sandbox', event_id: 'evt-1', order_id: 'order-9' };
    expect(requests.map(({ route, body }) => [route.split('/').at(-1), body])).toEqual([
      ['admit', { ...inSandbox, body_sha256: hash, dry_run: true }],
      ['admit', { mode: 'live', body_sha256: hash, dry_run: true }],
      ['dismiss', { mode: 'live', body_sha256: hash, dry_run: true }],
      ['dismiss', { mode: 'live', event_name: 'transaction.odd', dry_run: true }],
    ]);
  });
});

describe('payhooks orders resolve', () => {
  const times = { received_at: '2026-11-21T09:00:00.000Z', updated_at: '2026-11-21T10:00:00.000Z' };
  const waiting = [
    { event_id: 'evt-1', event_name: 'transaction.paid', kind: 'conflict', reason: null, ...times },
  ];
  const order = (attention: readonly string[]) => ({
    order_id: 'order-1',
    ...{ mode: 'live', events: [] },
    ...paid,
    ...times,
    attention,
  });

  async function startWith(attention: readonly string[], operations: Operations = acted) {
    const started = await start(operations, {
      '/orders/order-1?mode=live': order(attention),
      '/orders/order-1/events?mode=live': { ...order(attention), waiting },
    });
    const resolve = (...argv: string[]) => started.payhooks(['orders', 'resolve', 'order-1', ...argv]);
    return { ...started, resolve };
  }

  it('shows the order and what waits for it, and sends the sequence that was shown', async () => {
    const { resolve, bodies } = await startWith(['disputed']);
    const { code, stdout } = await resolve(...yes);
    expect(stdout).toContain(
      'order-1 is paid\nattention: disputed. A payment is disputed or was charged back.',
    );
    expect(stdout).toContain('waits: transaction.paid evt-1 (conflict), received 2026-11-21T09:00:00.000Z');
    expect(stdout).toContain('until something new arrives for the order. No money moves.');
    const subject = { mode: 'live', order_id: 'order-1', sequence: 1, attention: ['disputed'] };
    expect([code, bodies().at(-1)]).toEqual([0, { ...subject, reason: 'a test', dry_run: false }]);
  });

  it('resolves the only attention without its name, several only by name, and none not at all', async () => {
    const two = await startWith(['disputed', 'currency_mixed']);
    const { code, stderr } = await two.resolve('--dry-run');
    expect(code).toBe(2);
    expect(stderr).toContain('order-1 lists disputed, currency_mixed. Name those that you have judged');
    await two.resolve('--attention', 'disputed', 'currency_mixed', '--dry-run');
    expect(two.bodies()).toMatchObject([{ attention: ['disputed', 'currency_mixed'] }]);
    const none = await startWith([]);
    const refused = await none.resolve(...yes);
    expect([refused.code, none.bodies()]).toEqual([1, []]);
    expect(refused.stderr).toContain('order-1 lists no attention: there is nothing to resolve.');
  });
});
