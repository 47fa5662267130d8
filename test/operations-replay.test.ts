import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { deliver, runs } from './doubles/deliveries.ts';
import { eventBody } from './doubles/event-body.ts';
import { fact, paid } from './doubles/facts.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { memoryActs } from './doubles/memory-acts.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { type ReadEvent, readByOlderParser } from './doubles/older-parser.ts';
import { operationsOver, variants } from './doubles/operations.ts';

const caller = 'arn:aws:iam::1:user/ann';
const reason = 'parser of 0.3.0';

async function setUp(...events: readonly ReadEvent[]) {
  const stores = await readByOlderParser(...events);
  const acts = memoryActs();
  let seconds = 0;
  const now = () => new Date(Date.parse('2026-11-22T10:00:00.000Z') + 1000 * seconds++);
  const api = operationsOver(stores, { acts, now });
  async function post(route: 'replay' | 'verify', fields: object) {
    const event = gatewayEvent({ routeKey: `POST /operations/${route}`, body: JSON.stringify(fields) });
    const requestContext = { ...event.requestContext, authorizer: { iam: { userArn: caller } } };
    const { statusCode, body = '' } = await api({ ...event, requestContext } as typeof event);
    return { status: statusCode, ...JSON.parse(body) };
  }
  /** All pages of a run. */
  async function run(route: 'replay' | 'verify', fields: object = {}) {
    const pages = [];
    let cursor: string | undefined;
    do {
      const page = await post(route, { ...fields, ...(cursor && { cursor }) });
      pages.push(page);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return pages;
  }
  const differences = async () =>
    (await run('verify')).flatMap((page) =>
      page.differences.map((one: Record<string, string>) => [one['kind'], one['order_id'], one['event_id']]),
    );
  const facts = () => [...stores.orders.values()].map(({ order, facts: set }) => [order.id, [...set].sort()]);
  return { ...stores, acts, post, run, differences, facts };
}

/** Two events that an older parser read differently, and one that it read well. */
const migration: readonly ReadEvent[] = [
  { real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } },
  { real: { id: 'e2', order: 'B', transaction: 'U' }, as: { order: 'C' } },
  { real: { id: 'e3', order: 'D', transaction: 'V' } },
];

/** The cursor of a run that began then. */
const runFrom = (at: string, after: readonly string[] | null = null): string =>
  Buffer.from(JSON.stringify([1, 'range', 'live', at, null, null, after])).toString('base64url');

describe('POST /operations/replay', () => {
  it('shows in a dry run what the replay of an event then does', async () => {
    const { post, facts } = await setUp({ real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } });
    const before = facts();
    const predicted = await post('replay', { event_id: 'e1', dry_run: true });
    expect(facts()).toEqual(before);
    const result = await post('replay', { event_id: 'e1', reason });
    const transaction = { id: 'T', status: 'paid', currency: 'USD', created_at: null };
    const orders = [
      {
        order_id: 'A',
        before: {
          status: 'paid',
          attention: [],
          transactions: [{ ...transaction, amount: '1.00' }],
          sequence: 1,
        },
        after: {
          status: 'paid',
          attention: [],
          transactions: [{ ...transaction, amount: '100.00' }],
          sequence: 3,
        },
      },
    ];
    expect(predicted).toMatchObject({ status: 200, act: 'replay', dry_run: true, changed: true, orders });
    expect(result).toMatchObject({ dry_run: false, changed: true, orders, by: caller, reason });
    expect(result).toMatchObject({ replayed: 1, left: [], next_cursor: null });
  });

  it('changes nothing when it is repeated', async () => {
    const { post, facts } = await setUp({ real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } });
    await post('replay', { event_id: 'e1', reason });
    const before = facts();
    expect(await post('replay', { event_id: 'e1', reason })).toMatchObject({ changed: false, orders: [] });
    expect(facts()).toEqual(before);
  });

  it('shows an event that waits from then on, because this version reads no order in it', async () => {
    const { post } = await setUp({ real: { id: 'e1' }, as: { order: 'A' } });
    const changes = [
      {
        event_id: 'e1',
        before: { outcome: 'applied', waiting: null },
        after: { outcome: 'unassigned', waiting: 'unassigned' },
      },
    ];
    expect(await post('replay', { event_id: 'e1', dry_run: true })).toMatchObject({ events: changes });
    expect(await post('replay', { event_id: 'e1', reason })).toMatchObject({ events: changes });
  });

  it('leaves a row among the acts of the event and of the orders that changed', async () => {
    const { post, acts } = await setUp({ real: { id: 'e1', order: 'B' }, as: { order: 'A' } });
    await post('replay', { event_id: 'e1', dry_run: true });
    expect(acts.acts.size).toBe(0);
    await post('replay', { event_id: 'e1', reason });
    expect([...acts.acts.keys()].sort()).toEqual(['live:event:e1', 'live:order:A', 'live:order:B']);
    const [act] = acts.acts.get('live:order:A') ?? [];
    expect(act).toMatchObject({ act: 'replay', by: caller, reason, eventId: 'e1' });
  });

  it('goes through a time in pages, which leave one row for the whole run', async () => {
    const { run, acts, amountsOf, statusOf } = await setUp(...migration);
    const pages = await run('replay', { since: '2026-11-01T00:00:00Z', limit: 1, reason });
    expect(pages.map(({ replayed }) => replayed).reduce((a, b) => a + b)).toBe(3);
    expect(pages.length).toBeGreaterThan(2);
    expect([amountsOf('A'), statusOf('B'), statusOf('C')]).toEqual([['100.00'], 'paid', 'pending']);
    expect(acts.acts.get('live:replay')).toHaveLength(1);
    expect(acts.acts.get('live:order:D')).toBeUndefined();
  });

  it('leaves out what was recorded at another time', async () => {
    const { run, amountsOf } = await setUp(...migration);
    const pages = await run('replay', { until: '2026-11-01T00:00:00Z', reason });
    expect(pages.map(({ replayed }) => replayed)).toEqual([0]);
    expect(amountsOf('A')).toEqual(['1.00']);
  });

  it.each([
    ['recorded before `since`', { since: '2026-11-21T09:00:00Z' }, '2026-11-20T10:00:01.000Z'],
    ['recorded after `until`', { until: '2026-11-21T11:00:00Z' }, '2026-11-22T10:00:01.000Z'],
  ])('a replay in pages leaves out an event %s on every page', async (_, bound, recordedAt) => {
    const { run, events, rowOf } = await setUp(...migration);
    events.set('live:event:e3 event', { ...(rowOf('e3') as EventRow), recordedAt });
    const pages = await run('replay', { ...bound, limit: 1, reason });
    expect(pages.map(({ replayed }) => replayed).reduce((a, b) => a + b)).toBe(2);
  });

  it('replays the events of an order', async () => {
    const { run, statusOf } = await setUp(
      { real: { id: 'e1', order: 'A' } },
      { real: { id: 'e2', order: 'A', action: 'refunded', amount: '5.00' }, as: { amount: '100.00' } },
    );
    expect(statusOf('A')).toBe('refunded');
    const pages = await run('replay', { order_id: 'A', limit: 1, reason });
    expect(pages.map(({ replayed }) => replayed)).toEqual([1, 1, 0]);
    expect(statusOf('A')).toBe('partially_refunded');
  });

  it('ends in the same state when it is interrupted and begins anew', async () => {
    const [whole, interrupted] = [await setUp(...migration), await setUp(...migration)];
    await whole.run('replay', { reason });
    await interrupted.post('replay', { limit: 1, reason });
    await interrupted.run('replay', { reason });
    expect(interrupted.facts()).toEqual(whole.facts());
  });

  it('ends in the same state when it dies at any of its writes and is repeated', async () => {
    const whole = await setUp(...migration);
    await whole.run('replay', { reason });
    for (let call = 1; call < 40; call += 1) {
      const dying = await setUp(...migration);
      let calls = 0;
      const inject = (moment: 'before' | 'after') => {
        if (moment === 'after' && ++calls === call) throw new Error('killed');
      };
      dying.faults.inject = inject;
      await dying.run('replay', { reason }).catch(() => undefined);
      dying.faults.inject = () => {};
      await dying.run('replay', { reason });
      expect([call, dying.facts()]).toEqual([call, whole.facts()]);
    }
  });

  it('publishes an order again on request, once for each of its states', async () => {
    const { post, consume, factsOf } = await setUp({ real: { id: 'e1', order: 'A' } });
    expect(await post('replay', { event_id: 'e1', reason })).toMatchObject({ changed: false });
    expect(await post('replay', { event_id: 'e1', reason, publish: true })).toMatchObject({ changed: true });
    expect(factsOf('A').map((text) => JSON.parse(text)[0])).toEqual(['event.1', 'refolded.1']);
    expect(JSON.parse(factsOf('A')[1] ?? '')[1]).toMatch(/^[0-9a-f]{32}$/);
    expect(await post('replay', { event_id: 'e1', reason, publish: true })).toMatchObject({ changed: false });
    await consume({ body: eventBody({ id: 'e2', order: 'A', action: 'refunded' }) });
    expect(await post('replay', { event_id: 'e1', reason, publish: true })).toMatchObject({ changed: true });
    expect(factsOf('A')).toHaveLength(4);
  });

  it('names the events that it leaves as they are', async () => {
    const { post, facts } = await setUp({ real: { id: 'e1', action: 'refunded' } });
    const left = [{ event_id: 'e1', reason: 'waiting' }];
    for (const publish of [false, true])
      expect(await post('replay', { event_id: 'e1', reason, publish })).toMatchObject({ replayed: 0, left });
    expect(facts()).toEqual([]);
  });

  it.each<[string, object]>([
    ['not_recorded', { record: `quarantine:${'ab'.repeat(32)}`, outcome: 'quarantined' }],
    ['body_missing', { body: undefined }],
    ['sandbox_flag_disagrees', { body: eventBody({ id: 'e1', order: 'A', sandbox: true }) }],
  ])('leaves an event for the reason %s', async (reason, change) => {
    const { post, events, rowOf, facts } = await setUp({ real: { id: 'e1', order: 'A' } });
    const { fact: _, ...row } = { ...rowOf('e1'), ...change } as EventRow;
    events.clear();
    events.set(`${row.key} ${row.record}`, row);
    const before = facts();
    const left = [{ event_id: 'e1', reason }];
    expect(await post('replay', { event_id: 'e1', reason: 'r' })).toMatchObject({ replayed: 0, left });
    expect(facts()).toEqual(before);
  });

  it('leaves an event with 300 bodies, because it reads no more of them', async () => {
    const { post, events, rowOf } = await setUp({ real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } });
    const add = (count: number) => {
      for (const row of variants(rowOf('e1') as EventRow, count)) events.set(`${row.key} ${row.record}`, row);
    };
    add(298);
    const dryRun = { event_id: 'e1', dry_run: true };
    expect(await post('replay', dryRun)).toMatchObject({ replayed: 1 });
    add(299);
    const left = [{ event_id: 'e1', reason: 'too_many_bodies' }];
    expect(await post('replay', dryRun)).toMatchObject({ replayed: 0, left });
  });

  it('corrects nothing while a conflicting body is gone: it may have yielded the fact', async () => {
    const { post, events, factsOf } = await setUp(
      { real: { id: 'e1', order: 'A' } },
      { real: { id: 'e1', order: 'A', amount: '7.00' } },
    );
    const before = factsOf('A');
    for (const [key, { body: _, ...row }] of events)
      if (row.record.startsWith('conflict')) events.set(key, row);
    expect(await post('replay', { event_id: 'e1', reason })).toMatchObject({ replayed: 1, changed: false });
    expect(factsOf('A')).toEqual(before);
  });

  it('does not touch the events of the other mode', async () => {
    const { run, facts } = await setUp(...migration);
    const before = facts();
    expect(await run('replay', { mode: 'sandbox', reason })).toMatchObject([{ replayed: 0, changed: false }]);
    expect(facts()).toEqual(before);
  });

  it.each([
    [{ event_id: 'e9' }, 404, 'No live event has the id "e9".'],
    [{ order_id: 'Z' }, 404, 'No live event has named the order "Z".'],
    [{ event_id: 'e1', order_id: 'A' }, 400, 'expected one subject'],
    [{ event_id: 'e1', order_id: 'A' }, 400, 'The field event_id is "e1"'],
    [
      { order_id: 'A', since: '2026-11-01T00:00:00Z' },
      400,
      'The field order_id is "A"; expected one subject',
    ],
    [{ order_id: 'A', until: '2026-11-01T00:00:00Z' }, 400, 'expected one subject'],
    [{ event_id: 'e1', since: '2026-11-01T00:00:00Z' }, 400, 'expected one subject'],
    [{ cursor: 'abc' }, 400, 'The field cursor is "abc"; expected the unchanged next_cursor'],
    [{ cursor: `${runFrom('2026-11-22T10:00:00.000Z')}!` }, 400, 'the unchanged next_cursor'],
    [{ cursor: `!${runFrom('2026-11-22T10:00:00.000Z')}` }, 400, 'the unchanged next_cursor'],
    [{ cursor: runFrom('yesterday') }, 400, 'the unchanged next_cursor'],
    [{ cursor: runFrom('2026-11-22T10:00:00.000Z', []) }, 400, 'the unchanged next_cursor'],
    [{ cursor: runFrom('2026-11-22T10:00:00.000Z', ['k']) }, 400, 'the unchanged next_cursor'],
    [{ cursor: runFrom('2026-11-22T10:00:00.000Z', ['k', 'r', 'r']) }, 400, 'the unchanged next_cursor'],
    [{ limit: 0 }, 400, 'a whole number from 1 to 200'],
  ])('refuses %j with %i', async (fields, status, detail) => {
    const { post } = await setUp({ real: { id: 'e1', order: 'A' } });
    const refusal = await post('replay', { ...fields, reason });
    expect(refusal.status).toBe(status);
    expect(refusal.detail).toContain(detail);
  });

  it('goes on from the cursor of an earlier version', async () => {
    const { post } = await setUp(...migration);
    const cursor = runFrom('2026-11-22T10:00:00.000Z');
    expect(await post('replay', { cursor, reason })).toMatchObject({ status: 200, replayed: 3 });
  });

  it('refuses the cursor of another request', async () => {
    const { post } = await setUp(...migration);
    const { next_cursor: cursor } = await post('replay', { limit: 1, reason });
    expect(await post('replay', { cursor, mode: 'sandbox', reason })).toMatchObject({ status: 400 });
    expect(await post('replay', { cursor, order_id: 'A', reason })).toMatchObject({ status: 400 });
  });
});

describe('POST /operations/verify', () => {
  it('finds no difference after any delivery', async () => {
    const { differences } = await setUp(
      { real: { id: 'e1', order: 'A' } },
      { real: { id: 'e2', action: 'refunded' } },
      { real: { id: 'e1', order: 'A', amount: '7.00' } },
      { real: { id: 'e1', order: 'B' } },
      { real: { id: 'e4', order: 'C' } },
      { real: { id: 'e5', action: 'refunded', transaction: 'W' } },
    );
    expect(await differences()).toEqual([]);
  });

  it('finds no difference after any history of deliveries, duplicates, conflicts and crashes', async () => {
    const property = fc.asyncProperty(runs, async (history) => {
      const stores = memoryStores();
      await deliver(history, stores.writer);
      const api = operationsOver(stores, { eventRetentionDays: history.eventRetentionDays });
      const body = JSON.stringify({});
      const first = await api(gatewayEvent({ routeKey: 'POST /operations/verify', body }));
      expect(JSON.parse(first.body ?? '')).toMatchObject({ differences: [] });
      const { next_cursor: cursor } = JSON.parse(first.body ?? '');
      const orders = await api(
        gatewayEvent({ routeKey: 'POST /operations/verify', body: JSON.stringify({ cursor }) }),
      );
      expect(JSON.parse(orders.body ?? '')).toMatchObject({ differences: [], next_cursor: null });
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it('names what an older parser read differently, and a replay repairs all of it', async () => {
    const { differences, run, facts } = await setUp(...migration);
    const before = facts();
    expect(await differences()).toEqual([
      ['missing_fact', 'A', 'e1'],
      ['stale_fact', 'A', 'e1'],
      ['missing_fact', 'B', 'e2'],
      ['stale_fact', 'C', 'e2'],
      ['stale_row', 'B', 'e2'],
    ]);
    expect(facts()).toEqual(before);
    await run('replay', { reason });
    expect(await differences()).toEqual([]);
  });

  it('shows the order as it is and as the fold of its events', async () => {
    const { run } = await setUp({ real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } });
    const [page] = await run('verify');
    const amountOf = (order: { transactions: { amount: string }[] }) => order.transactions[0]?.amount;
    const [difference] = page.differences;
    expect([amountOf(difference.before), amountOf(difference.after)]).toEqual(['1.00', '100.00']);
    expect(page.compared).toEqual({ events: 1, orders: 0 });
  });

  it('names a fact and a mark whose event is not stored', async () => {
    const { differences, events } = await setUp(
      { real: { id: 'e1', order: 'A' } },
      { real: { id: 'e1', order: 'B' } },
    );
    events.clear();
    expect(await differences()).toEqual([
      ['fact_without_event', 'A', 'e1'],
      ['mark_without_event', 'A', 'e1'],
      ['mark_without_event', 'B', 'e1'],
    ]);
  });

  it('names a fact in an order that nothing of its event points to, and a replay of the order ends it', async () => {
    const { differences, writer, run, post } = await setUp({ real: { id: 'e1', order: 'A' } });
    // As an older version that reads another order, and handles the event again after a rollback.
    const order = { mode: 'live', id: 'B' } as const;
    await writer.merge({ order, facts: [paid('e1')], now: () => new Date(0) });
    expect(await differences()).toEqual([['stale_fact', 'B', 'e1']]);
    await post('replay', { order_id: 'B', reason });
    expect(await differences()).toEqual([]);
    const [{ orders }] = await run('replay', { order_id: 'B', dry_run: true });
    expect(orders).toEqual([]);
  });

  it('names an event that this version would not accept', async () => {
    const { differences, events, rowOf } = await setUp({ real: { id: 'e1', order: 'A' } });
    const row = rowOf('e1');
    if (row) events.set('live:event:e1 event', { ...row, body: eventBody({ id: '', order: 'A' }) });
    expect(await differences()).toEqual([['refused_event', null, 'e1']]);
  });

  it('names a refund that its order lacks by the refund', async () => {
    const { differences, orders } = await setUp(
      { real: { id: 'e1', order: 'A' } },
      { real: { id: 'e2', action: 'refunded' } },
    );
    orders.get('live:order:A')?.facts.delete(fact('e2', 'refunded'));
    expect(orders.get('live:order:A')?.facts).toEqual(new Set([paid('e1')]));
    expect(await differences()).toEqual([['missing_fact', 'A', 'e2']]);
  });
});
