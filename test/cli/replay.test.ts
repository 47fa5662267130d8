import { describe, expect, it } from 'vitest';
import type { Reading } from '../../lambdas/domain/payment-event.ts';
import { setUpConsumer } from '../doubles/consumer.ts';
import { type EventFields, eventBody } from '../doubles/event-body.ts';
import { fold } from '../doubles/fold.ts';
import { operationsOver } from '../doubles/operations.ts';
import type { Operations } from '../doubles/operations-server.ts';
import { served } from '../doubles/served-operations.ts';
import { startLocalMode } from './local-mode.ts';

interface ReadEvent {
  /** What the body says. */
  readonly real: EventFields;
  /** What an older version read in it, where that differs. */
  readonly as?: Partial<Reading>;
}

type Fault = Awaited<ReturnType<Operations>> | undefined;

/** The operations API, an hour after an older version has read these events, and the command line. */
async function start(...events: readonly ReadEvent[]) {
  const { consume, reread, tables, row, factsOf } = setUpConsumer();
  for (const { real, as = {} } of events) {
    reread(real.id, as);
    await consume({ body: eventBody(real) });
  }
  const api = served(operationsOver(tables));
  const faults: { before?: (count: number) => Promise<Fault> | Fault; pageEvents?: number } = {};
  const local = await startLocalMode({
    operations: async (request) => {
      const fault = await faults.before?.(local.requests.length);
      if (fault !== undefined) return fault;
      const { pageEvents: limit } = faults;
      return api({ ...request, body: { ...(limit === undefined ? {} : { limit }), ...request.body } });
    },
  });
  const statusOf = (orderId: string) => fold(factsOf(orderId)).status;
  const amountsOf = (orderId: string) => fold(factsOf(orderId)).transactions.map(({ amount }) => amount);
  return { ...local, consume, tables, row, factsOf, statusOf, amountsOf, faults };
}

const reason = ['--reason', 'release 0.3.0'];
/** Two events that an older version read differently, and one that it read well. */
const migration: readonly ReadEvent[] = [
  { real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } },
  { real: { id: 'e2', order: 'B', transaction: 'U' }, as: { orderId: 'C' } },
  { real: { id: 'e3', order: 'D', transaction: 'V' } },
];
const moved = [
  'A  stays paid',
  '  - transaction T  payment of 1.00 USD',
  '  + transaction T  payment of 100.00 USD',
  'B  new -> paid',
  '  + transaction U  payment of 100.00 USD',
  'C  paid -> pending',
  '  - transaction U  payment of 100.00 USD',
];

describe('payhooks replay', () => {
  it('replays after a confirmation, in as many pages as it takes', async () => {
    const { payhooks, faults, amountsOf, statusOf } = await start(...migration);
    faults.pageEvents = 1;
    const { code, stdout } = await payhooks(['replay', '--since', '2026-11-01T00:00:00Z', ...reason], {
      typed: ['y'],
    });
    expect(stdout).toContain(moved.join('\n'));
    expect(stdout).toContain('3 events replayed; orders that change: 3.');
    expect(code).toBe(0);
    expect([amountsOf('A'), statusOf('B'), statusOf('C')]).toEqual([['100.00'], 'paid', 'pending']);
  });

  const span = { since: '2026-11-01T00:00:00.000Z', until: '2026-11-02T00:00:00.000Z' };
  it.each([
    [['replay', '--since', span.since, '--until', span.until, '--dry-run'], { ...span, dry_run: true }],
    [['rebuild', '--dry-run'], { dry_run: true, readings: 'stored', segment: '1/12' }],
    [['rebuild', '--verify'], { segment: '1/12' }],
  ])('reads the sandbox and the time that are chosen: %j', async (command, chosen) => {
    const { payhooks, requests } = await start(...migration);
    expect((await payhooks([...command, '--sandbox'])).code).toBe(0);
    // The first request estimates the total.
    expect(requests[1]?.body).toEqual({ mode: 'sandbox', ...chosen });
    for (const { body } of requests) expect(body).toMatchObject({ mode: 'sandbox' });
  });

  it('names the events that stay as they are, and why', async () => {
    const { payhooks, tables, row } = await start({ real: { id: 'e1', order: 'A' } });
    const unreadable = { ...row('e1'), body: Buffer.from('{}') };
    tables.events.set('live:event:e1\nevent', unreadable);
    const { stdout } = await payhooks(['replay', '--event', 'e1', '--dry-run', '--json']);
    expect(JSON.parse(stdout).left).toEqual([{ event_id: 'e1', reason: 'id_missing' }]);
    expect((await payhooks(['replay', '--event', 'e1', '--dry-run'])).stdout.replaceAll('\n', ' ')).toBe(
      'Nothing to do: 0 events would be replayed; orders that change: 0. Left as they are: 1 event (e1). ' +
        'This version would not accept the body (id_missing); ' +
        'the event counts as it was read before. ',
    );
  });
});

describe('payhooks rebuild', () => {
  /** The order A lacks the fact of its event, and C has one that is in B. */
  async function damaged() {
    const events = [
      { id: 'e1', order: 'A' },
      { id: 'e2', order: 'B', transaction: 'U' },
    ] as const;
    const started = await start(...events.map((real) => ({ real })));
    const { tables, factsOf } = started;
    const [a, b] = [tables.orders.get('live:order:A'), tables.orders.get('live:order:B')];
    if (a === undefined || b === undefined) throw new Error('An order is missing.');
    tables.orders.set('live:order:A', { ...a, facts: [] });
    tables.orders.set('live:order:C', { ...b, order: { mode: 'live', id: 'C' }, facts: factsOf('B') });
    return started;
  }

  it('finds what is not as the stored readings make it, repairs it, and then finds nothing', async () => {
    const { payhooks } = await damaged();
    const found = await payhooks(['rebuild', '--verify']);
    expect(found.code).toBe(1);
    expect(found.stdout.split('\n')).toEqual([
      'DIFFERENCE    ORDER  EVENT',
      'missing_fact  A      e1',
      'stale_fact    C      e2',
      '',
    ]);
    expect(found.stderr).toContain('2 differences.');
    const json = JSON.parse((await payhooks(['rebuild', '--verify', '--json'])).stdout);
    expect(json).toMatchObject({ mode: 'live', compared: { events: 2, orders: 3 } });
    expect(json.differences[0]).toMatchObject({ kind: 'missing_fact', order_id: 'A', event_id: 'e1' });
    expect((await payhooks(['rebuild', ...reason, '--yes'])).stdout).toContain('2 events rebuilt; ');
    // No row leads from an event to an order that holds its fact by mistake.
    expect((await payhooks(['replay', '--order', 'C', ...reason, '--yes'])).code).toBe(0);
    const repaired = await payhooks(['rebuild', '--verify']);
    expect(repaired.stdout).toBe(
      'No difference: 3 orders are what their events make of them; 2 events compared.\n',
    );
    expect(repaired.code).toBe(0);
  });

  it('prints the differences that it has found when an error ends it', async () => {
    const { payhooks, faults } = await damaged();
    faults.pageEvents = 1;
    const problem = { type: 'about:blank', title: 'Conflict', status: 409, detail: 'stopped by the test' };
    faults.before = (count) => (count > 22 ? { status: 409, body: problem } : undefined);
    const { code, stdout, stderr } = await payhooks(['rebuild', '--verify']);
    expect(code).toBe(1);
    expect(stdout).toContain('A  ');
    expect(stderr).toContain('To go on: npx payhooks rebuild --verify');
  });
});

describe('payhooks erase', () => {
  it('erases the bodies of an order after a dry run, and names what it does not reach', async () => {
    const { payhooks, row, statusOf } = await start({ real: { id: 'e1', order: 'A' } });
    const { code, stdout } = await payhooks(['erase', '--order', 'A', '--reason', 'requested', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('Deletes 1 stored payload (');
    expect(stdout).toContain('No order changes.');
    expect(stdout).toContain('What an erasure does not reach: docs/data.md#erasure');
    const { body, erased } = row('e1');
    expect([body, erased?.reason, statusOf('A')]).toEqual([undefined, 'requested', 'paid']);
  });

  it('erases nothing when a body has come since the preview', async () => {
    const { consume, payhooks, faults, requests, row } = await start({ real: { id: 'e1', order: 'A' } });
    faults.before = async (count) => {
      if (count === 2) await consume({ body: eventBody({ id: 'e2', order: 'A' }) });
      return undefined;
    };
    const typed = ['y', 'n'];
    const { code, stdout } = await payhooks(['erase', '--order', 'A', '--reason', 'requested'], { typed });
    expect(stdout).toMatch(/1 stored payload .*Something else changed.*2 stored payloads /s);
    expect([code, requests.length, row('e1').erased, row('e2').erased]).toEqual([2, 2, undefined, undefined]);
  });

  it('erases nothing after Ctrl-C in its preview', async () => {
    const { payhooks, faults, row } = await start({ real: { id: 'e1', order: 'A' } });
    faults.before = async () => {
      process.emit('SIGINT', 'SIGINT');
      return undefined;
    };
    const { code, stderr } = await payhooks(['erase', '--order', 'A', '--reason', 'requested', '--yes']);
    expect(stderr).toContain('Stopped while reading; nothing was erased.');
    expect([code, row('e1').erased]).toEqual([130, undefined]);
  });
});
