import { describe, expect, it } from 'vitest';
import { startLocalStack } from '../doubles/local-stack.ts';
import { conflict, type Operations, type OperationsRequest } from '../doubles/operations-server.ts';
import { type Run, runPayhooks } from './payhooks-process.ts';

const payment = { id: 'txn-1', status: 'paid', amount: '100.00', currency: 'USD' };
const paid = { status: 'paid', attention: [], transactions: [payment], sequence: 1 };
const refunded = {
  ...{ status: 'refunded', attention: ['conflicting_event'], sequence: 2 },
  transactions: [{ ...payment, status: 'refunded' }],
};

/** What the operations API returns to an act. */
function acted({ route, body }: OperationsRequest, change: Readonly<Record<string, unknown>> = {}) {
  return {
    body: {
      act: route.split('/').at(-1),
      mode: body['mode'],
      dry_run: body['dry_run'],
      changed: true,
      by: 'arn:aws:iam::123456789012:user/kim',
      at: '2026-11-22T03:00:00.000Z',
      reason: body['reason'] ?? '',
      events: [
        {
          ...{ event_id: 'evt-1', body_sha256: '1'.repeat(64) },
          before: { outcome: 'unassigned', waiting: 'unassigned' },
          after: { outcome: 'applied', waiting: null },
        },
      ],
      orders: [{ order_id: 'order-1', before: paid, after: refunded }],
      ...change,
    },
  };
}

async function start(operations: Operations = acted) {
  const requests: OperationsRequest[] = [];
  const { url } = await startLocalStack({
    operations: (request) => {
      requests.push(request);
      return operations(request);
    },
  });
  const events = (argv: readonly string[], options: Run = {}) =>
    runPayhooks(['events', ...argv, '--local', url], options);
  return { url, requests, events, bodies: () => requests.map(({ body }) => body) };
}

const preview = [
  'If you admit evt-1, its transaction joins the order, with everything else that waits for it.',
  'event evt-1  unassigned (waits) -> applied',
  'order-1  paid -> refunded',
  '  - transaction txn-1  paid  100.00 USD',
  '  + transaction txn-1  refunded  100.00 USD',
  '  + attention  conflicting_event',
];

describe('payhooks events admit', () => {
  it('shows what would change in each order before it acts', async () => {
    const { events, requests } = await start();
    const { code, stdout } = await events(['admit', 'evt-1', '--reason', 'confirmed by phone', '--yes']);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([...preview, 'Admitted evt-1.', '']);
    const given = { mode: 'live', event_id: 'evt-1', reason: 'confirmed by phone' };
    expect(requests.map(({ route, body }) => [route, body])).toEqual([
      ['POST /operations/admit', { ...given, dry_run: true }],
      ['POST /operations/admit', { ...given, dry_run: true }],
      ['POST /operations/admit', { ...given, dry_run: false }],
    ]);
  });

  it('does not claim that a conflict changes the order that has its body already', async () => {
    const conflicting = {
      ...{ event_id: 'evt-1', body_sha256: '1'.repeat(64) },
      before: { outcome: 'conflict', waiting: 'conflict' },
      after: { outcome: 'conflict', waiting: null },
    };
    const { events } = await start((request) => acted(request, { orders: [], events: [conflicting] }));
    const { stdout } = await events(['admit', 'evt-1', '--dry-run']);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'If you admit evt-1, it no longer waits. Its order has this body already, and counts the one that takes',
    );
  });

  it('passes on the order, the body and the mode that the operator names', async () => {
    const { events, bodies } = await start();
    const hash = '1'.repeat(64);
    await events(['admit', 'evt-1', '--order', 'order-9', '--body-sha256', hash, '--sandbox', '--dry-run']);
    await events(['admit', '--body-sha256', hash, '--dry-run']);
    expect(bodies()).toEqual([
      { mode: 'sandbox', event_id: 'evt-1', body_sha256: hash, order_id: 'order-9', dry_run: true },
      { mode: 'live', body_sha256: hash, dry_run: true },
    ]);
  });

  it('asks a person for the reason and for a confirmation after the preview', async () => {
    const { events, bodies } = await start();
    const { code, stdout, stderr } = await events(['admit', 'evt-1'], { typed: ['confirmed by phone', 'y'] });
    expect(code).toBe(0);
    expect(stderr).toMatch(/Why\? It is kept with the act: .*Admit evt-1\? \[y\/N\]/s);
    expect(stdout).toContain('Admitted evt-1.');
    expect(bodies()[2]).toEqual({
      ...{ mode: 'live', event_id: 'evt-1', dry_run: false, reason: 'confirmed by phone' },
    });
  });

  it.each([
    ['a no', ['confirmed', 'n'], 'Not confirmed; nothing was changed.'],
    ['an empty reason', [' '], 'The reason is empty; nothing was changed.'],
  ])('changes nothing after %s', async (_, typed, message) => {
    const { events, bodies } = await start();
    const { code, stderr } = await events(['admit', 'evt-1'], { typed });
    expect([code, stderr.includes(message)]).toEqual([2, true]);
    expect(bodies().map((body) => body['dry_run'])).toEqual([true]);
  });

  it('without a terminal requires --reason before any request, and --yes after the preview', async () => {
    const { events, bodies } = await start();
    const unexplained = await events(['admit', 'evt-1', '--yes']);
    expect([unexplained.code, unexplained.stderr.includes('--reason is missing')]).toEqual([2, true]);
    expect(bodies()).toEqual([]);
    const unconfirmed = await events(['admit', 'evt-1', '--reason', 'a test']);
    expect([unconfirmed.code, unconfirmed.stderr.includes('Run the command again with --yes')]).toEqual([
      2,
      true,
    ]);
    expect(bodies().map((body) => body['dry_run'])).toEqual([true]);
  });

  it('with --dry-run ends after the preview and needs no reason', async () => {
    const { events, bodies } = await start();
    const { code, stdout } = await events(['admit', 'evt-1', '--dry-run']);
    expect([code, stdout.split('\n')]).toEqual([0, [...preview, '']]);
    expect(bodies()).toEqual([{ mode: 'live', event_id: 'evt-1', dry_run: true }]);
  });

  it('does nothing to an event that does not wait', async () => {
    const { events, bodies } = await start((request) => acted(request, { changed: false, orders: [] }));
    const { code, stdout } = await events(['admit', 'evt-1', '--reason', 'again', '--yes']);
    expect([code, stdout]).toEqual([0, 'Nothing to do: evt-1 does not wait.\n']);
    expect(bodies().map((body) => body['dry_run'])).toEqual([true]);
  });

  const late = { order_id: 'order-2', before: paid, after: refunded };
  /** Another order changes after the first dry run. */
  const changing = () => {
    let count = 0;
    return start((request) => {
      count += 1;
      return acted(request, count === 1 ? {} : { orders: [late] });
    });
  };
  const shownAgain = [
    'Something else changed meanwhile, so nothing was done. It would now do this:',
    preview[0],
    preview[1],
    'order-2  paid -> refunded',
    ...preview.slice(-3),
  ];

  it('shows what something else has changed since the preview, and asks again', async () => {
    const { events, bodies } = await changing();
    const { code, stdout } = await events(['admit', 'evt-1'], { typed: ['by phone', 'y', 'y'] });
    expect(stdout.split('\n').slice(preview.length)).toEqual([...shownAgain, 'Admitted evt-1.', '']);
    expect([code, bodies().map((body) => body['dry_run'])]).toEqual([0, [true, true, true, false]]);
  });

  it('with --yes does nothing, and exits with 1, when something else has changed since the preview', async () => {
    const { events, bodies } = await changing();
    const { code, stdout, stderr } = await events(['admit', 'evt-1', '--reason', 'a test', '--yes']);
    expect(stdout.split('\n').slice(preview.length)).toEqual([...shownAgain, '']);
    expect([code, stderr.includes('nothing was done. Run it again.')]).toEqual([1, true]);
    expect(bodies().map((body) => body['dry_run'])).toEqual([true, true]);
  });

  it('prints the response of the act and nothing else with --json', async () => {
    const { events } = await start();
    const { stdout, stderr } = await events(['admit', 'evt-1', '--reason', 'a test', '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ act: 'admit', dry_run: false, reason: 'a test' });
    expect(stderr).toBe('');
    const dryRun = await events(['admit', 'evt-1', '--dry-run', '--json']);
    expect(JSON.parse(dryRun.stdout)).toMatchObject({ act: 'admit', dry_run: true });
  });

  it('shows a person what the question is about, also with --json', async () => {
    const { events } = await start();
    const argv = ['admit', 'evt-1', '--reason', 'a test', '--json'];
    const { stdout, stderr } = await events(argv, { typed: ['y'] });
    expect(stderr).toContain(preview.join('\n'));
    expect(JSON.parse(stdout)).toMatchObject({ act: 'admit', dry_run: false });
  });

  it('says that an act may have been done when its response does not tell', async () => {
    const problem = { type: 'about:blank', title: 'Not Implemented', status: 501, detail: 'broken' };
    const { events } = await start((request) =>
      request.body['dry_run'] ? acted(request) : { status: 501, body: problem },
    );
    const { code, stdout, stderr } = await events(['admit', 'evt-1', '--reason', 'a test', '--yes']);
    expect(stdout).not.toContain('Admitted');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\nIt may have been done\. .*\nerror: /)]);
  });

  it.each([
    [404, { detail: 'No live event has the id "evt-1".' }, 'id "evt-1". For a sandbox one add --sandbox.\n'],
    [
      400,
      { detail: 'The field order_id is missing.', parameter: 'order_id' },
      'is missing. To give it: --order ORDER_ID\n',
    ],
  ])('names the option that a response with %i asks for', async (status, details, end) => {
    const problem = { type: 'about:blank', title: 'Wrong', status, ...details };
    const { events } = await start(() => ({ status, body: problem }));
    const { code, stderr } = await events(['admit', 'evt-1', '--dry-run']);
    expect([code, stderr.split('error: ')[1]]).toEqual([1, expect.stringContaining(end)]);
    expect(stderr).not.toContain('The operations API');
  });

  it('shows what the state of the event forbids, and exits with 1', async () => {
    const detail = 'The event "evt-1" was dismissed by kim at 03:00.';
    const { events } = await start(() => conflict(detail));
    const { code, stderr } = await events(['admit', 'evt-1', '--reason', 'a test', '--yes']);
    expect([code, stderr.includes(detail)]).toEqual([1, true]);
  });
});

describe('payhooks events dismiss', () => {
  const reason = ['--reason', 'a test', '--yes'];
  const dismissed = {
    ...{ event_id: 'evt-1', body_sha256: '1'.repeat(64) },
    before: { outcome: 'quarantined', waiting: 'quarantined' },
    after: { outcome: 'quarantined', waiting: null },
  };

  it('shows the consequence, and dismisses an event, a body or a name', async () => {
    const { events, requests } = await start((request) =>
      acted(request, { orders: [], events: [dismissed] }),
    );
    const { code, stdout } = await events(['dismiss', 'evt-1', ...reason]);
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        'If you dismiss evt-1, no order gets it: the order of a genuine payment stays unpaid.',
        'event evt-1  quarantined (waits) -> quarantined (judged)',
        'No order changes.',
        'Dismissed evt-1.',
        '',
      ],
    ]);
    const hash = '2'.repeat(64);
    await events(['dismiss', '--body-sha256', hash, ...reason]);
    const named = await events(['dismiss', '--name', 'transaction.odd', ...reason]);
    expect(named.stdout).toContain('Dismissed transaction.odd.\n');
    const given = { mode: 'live', dry_run: false, reason: 'a test' };
    expect(requests.filter(({ body }) => body['dry_run'] === false)).toEqual([
      { route: 'POST /operations/dismiss', query: {}, body: { ...given, event_id: 'evt-1' } },
      { route: 'POST /operations/dismiss', query: {}, body: { ...given, body_sha256: hash } },
      { route: 'POST /operations/dismiss', query: {}, body: { ...given, event_name: 'transaction.odd' } },
    ]);
  });

  it.each([[[]], [['evt-1', '--name', 'transaction.odd']]])('refuses %j as its subject', async (argv) => {
    const { events, bodies } = await start();
    const { code, stderr } = await events(['dismiss', ...argv, ...reason]);
    expect([code, stderr.includes('Give the id of an event')]).toEqual([2, true]);
    expect(bodies()).toEqual([]);
  });
});
