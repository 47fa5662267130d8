import { createHash } from 'node:crypto';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it, vi } from 'vitest';
import { orderBodiesEventsMax } from '../lambdas/contract/operations-limits.ts';
import { resolvedFact } from '../lambdas/domain/fact.ts';
import { consumerOver } from './doubles/consumer.ts';
import { deviations } from './doubles/openapi-document.ts';
import { consumedStores, orderQueryOver, request } from './doubles/order-query.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
const payment = (eventId: string, amount: string, more: object = {}) =>
  bytesOf(paidEvent({ seed: amount, orderId: 'o-1', transactionId: 't-1', eventId, amount, ...more }));
/** The same event in other bytes. */
const reserialised = (body: Uint8Array) =>
  Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString()), null, 1));

/** Facts of events that changed nothing, and whose rows have expired. */
const historyFacts = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify(['event.1', `evt-${n}`, 'account.updated', null, null, null, null]),
  );

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

/** The order query after these bodies were recorded, each a second after the one before. */
async function setUp(...bodies: Uint8Array[]) {
  const stores = await consumedStores();
  for (const [n, body] of bodies.entries()) {
    const now = () => new Date(`2026-11-21T10:00:0${n}.000Z`);
    await consumerOver(stores, { now })(sqsEvent({ body }));
  }
  const query = orderQueryOver({ reader: stores.reader });
  const get = async (order_id: string) => {
    const routeKey = 'GET /orders/{order_id}/events';
    const { status, type, body } = await request(query, { routeKey, pathParameters: { order_id } });
    expect(deviations({ routeKey, status: status ?? 0, contentType: String(type), body })).toEqual([]);
    return { status, body };
  };
  return { ...stores, get };
}

describe('of two bodies under one event id, GET /orders/{order_id}/events', () => {
  const [small, large] = [payment('evt-1', '1.00'), payment('evt-1', '100.00')];

  it.each([
    ['the second', [small, large], '2026-11-21T10:00:01.000Z'],
    ['the first', [large, small], '2026-11-21T10:00:00.000Z'],
  ])('shows the hash of the one that counts, when that is %s', async (_, bodies, recordedAt) => {
    const { get } = await setUp(...bodies);
    const { body } = await get('o-1');
    expect(body.events).toMatchObject([
      {
        id: 'evt-1',
        body_sha256: sha256(large),
        recorded_at: recordedAt,
        counts: true,
        others: [
          { body_sha256: sha256(small), counts: false, order_id: 'o-1', amount: '1.00', currency: 'USD' },
        ],
      },
    ]);
    expect(body.waiting).toMatchObject([
      { event_id: 'evt-1', kind: 'conflict', outcome: 'conflict', body_sha256: sha256(bodies[1] ?? small) },
    ]);
  });

  it('shows the first for its order when the second names another order, and none for that one', async () => {
    const elsewhere = payment('evt-1', '100.00', { orderId: 'o-2' });
    const { get } = await setUp(small, elsewhere);
    expect((await get('o-1')).body.events).toMatchObject([
      {
        body_sha256: sha256(small),
        counts: true,
        others: [{ body_sha256: sha256(elsewhere), order_id: 'o-2', waiting: 'conflict' }],
      },
    ]);
    expect((await get('o-2')).body).toMatchObject({
      events: [],
      waiting: [{ event_id: 'evt-1', body_sha256: sha256(elsewhere) }],
    });
  });

  it('shows none as counting when no stored body has the fact', async () => {
    const { get, events } = await setUp(small, large);
    const key = `live:event:evt-1 conflict:${sha256(large)}`;
    const { body: _, ...erased } = events.get(key) ?? expect.unreachable();
    events.set(key, erased);
    expect((await get('o-1')).body.events).toMatchObject([
      {
        ...{ body_sha256: sha256(small), counts: false },
        others: [{ body_sha256: sha256(large), counts: false, amount: null, currency: null }],
      },
    ]);
  });
});

describe('the state after each body in GET /orders/{order_id}/events', () => {
  const stepOf = ({ status_after, attention_after }: { status_after: unknown; attention_after: unknown }) => [
    status_after,
    attention_after,
  ];

  it('changes with a conflicting body when that one arrived, whether or not it counts', async () => {
    const [small, large] = [payment('evt-1', '1.00'), payment('evt-1', '100.00')];
    for (const [bodies, counts] of [
      [[large, small], 'the first'],
      [[small, large], 'the second'],
    ] as const) {
      const { get } = await setUp(...bodies, payment('evt-2', '5.00', { transactionId: 't-2' }));
      const [event, second] = (await get('o-1')).body.events.toSorted(byId);
      const [first, conflicting] =
        counts === 'the first' ? [event, event.others[0]] : [event.others[0], event];
      expect(stepOf(first)).toEqual(['paid', []]);
      expect(stepOf(conflicting)).toEqual(['paid', ['conflicting_event']]);
      expect(stepOf(second)).toEqual(['paid', ['multiple_paid_transactions', 'conflicting_event']]);
    }
  });

  it('is shown for a conflicting body that names another order', async () => {
    const elsewhere = payment('evt-1', '100.00', { orderId: 'o-2' });
    const { get } = await setUp(payment('evt-1', '1.00'), elsewhere);
    const [event] = (await get('o-1')).body.events;
    expect(stepOf(event)).toEqual(['paid', []]);
    expect(stepOf(event.others[0])).toEqual(['paid', ['conflicting_event']]);
  });

  it('is null for the same event in other bytes, which added nothing', async () => {
    const body = payment('evt-1', '1.00');
    const { get } = await setUp(body, reserialised(body));
    const [event] = (await get('o-1')).body.events;
    expect(stepOf(event)).toEqual(['paid', []]);
    expect(stepOf(event.others[0])).toEqual([null, null]);
  });

  it('is null for the same event in other bytes that were received first and recorded later', async () => {
    const body = payment('evt-1', '1.00');
    const { get, events } = await setUp(body, reserialised(body));
    for (const [key, row] of events) {
      const receivedAt = '2026-11-21T09:00:00.000Z';
      if (row.outcome === 'duplicate') events.set(key, { ...row, receivedAt });
    }
    const [event] = (await get('o-1')).body.events;
    expect(stepOf(event)).toEqual(['paid', []]);
    expect(stepOf(event.others[0])).toEqual([null, null]);
  });

  it('is null for all but the newest 100 events', async () => {
    const { get, orders } = await setUp(payment('evt-z', '1.00'));
    for (const fact of historyFacts(100)) orders.get('live:order:o-1')?.facts.add(fact);
    const [oldest, ...others] = (await get('o-1')).body.events.map(stepOf);
    expect(oldest).toEqual([null, null]);
    expect(others).toEqual([...Array(99).fill(['pending', []]), ['paid', []]]);
  });
});

describe('GET /orders/{order_id}/events', () => {
  it('lists the same event in other bytes under others, without an effect', async () => {
    const body = payment('evt-1', '1.00');
    const again = reserialised(body);
    const { get } = await setUp(body, again);
    expect((await get('o-1')).body).toMatchObject({
      events: [
        {
          body_sha256: sha256(body),
          counts: true,
          others: [{ body_sha256: sha256(again), outcome: 'duplicate', waiting: null, counts: false }],
        },
      ],
      waiting: [],
      waiting_complete: true,
      acts: [],
    });
  });

  it('lists the events that name the order and wait together with those that count', async () => {
    const misplaced = payment('evt-2', '2.00', { sandbox: true });
    const { get } = await setUp(payment('evt-1', '1.00'), misplaced);
    const { body } = await get('o-1');
    expect(body.events).toMatchObject([{ id: 'evt-1', others: [] }]);
    expect(body.waiting).toMatchObject([
      { event_id: 'evt-2', kind: 'quarantined', reason: 'sandbox_flag_disagrees' },
    ]);
  });

  it('counts an event that an older release read in another way', async () => {
    const body = payment('evt-1', '1.00');
    const { get, orders } = await setUp(body);
    const stored = orders.get('live:order:o-1') ?? expect.unreachable();
    const fact = '["event.1","evt-1","transaction.paid","t-1",null,null,null]';
    orders.set('live:order:o-1', { ...stored, facts: new Set([fact]) });
    expect((await get('o-1')).body.events).toMatchObject([{ body_sha256: sha256(body), counts: true }]);
  });

  it('lists what operators did, acts and resolutions together, oldest first', async () => {
    const { get, acts, orders } = await setUp(payment('evt-1', '1.00'));
    const ana = { by: 'arn:aws:iam::111122223333:user/ana', reason: 'confirmed' };
    const resolution = { attention: 'disputed', judgedSha256: 'ab'.repeat(32) };
    orders
      .get('live:order:o-1')
      ?.facts.add(resolvedFact({ ...ana, ...resolution, at: '2026-11-22T11:00:00.000Z' }));
    acts.set('live:order:o-1', [
      { act: 'admit', ...ana, at: '2026-11-22T10:00:00.000Z', eventId: 'evt-1', orderId: 'o-1' },
      { act: 'erase', ...ana, at: '2026-11-22T12:00:00.000Z', eventId: 'evt-1', orderId: 'o-1' },
    ]);
    const { body } = await get('o-1');
    expect(body.acts.map((one: { act: string }) => one.act)).toEqual(['admit', 'resolve', 'erase']);
    expect(body.acts[1]).toEqual({
      act: 'resolve',
      ...ana,
      at: '2026-11-22T11:00:00.000Z',
      event_id: null,
      order_id: 'o-1',
      body_sha256: null,
      attention: 'disputed',
    });
  });

  it('compares the bodies of 50 events, those with several facts first, and lists the rest', async () => {
    const { get, orders, reader } = await setUp(payment('evt-z', '1.00'), payment('evt-z', '2.00'));
    for (const fact of historyFacts(orderBodiesEventsMax)) orders.get('live:order:o-1')?.facts.add(fact);
    const readWithoutBodies = vi.spyOn(reader, 'summaries');
    const { body } = await get('o-1');
    const counts = new Map(body.events.map((one: { id: string; counts: unknown }) => [one.id, one.counts]));
    expect(counts.size).toBe(51);
    expect(counts.get('evt-z')).toBe(true);
    const left = [...counts.keys()].filter((id) => counts.get(id) === null);
    expect(left).toHaveLength(1);
    expect(readWithoutBodies.mock.calls).toEqual([['live', left]]);
  });
});

it('the 404 of an order whose events were dismissed refers to the acts, and lists them', async () => {
  const { get, acts } = await setUp();
  const act = {
    by: 'ana',
    at: '2026-11-22T10:00:00.000Z',
    reason: 'a test',
    eventId: 'evt-1',
    orderId: 'o-1',
  };
  acts.set('live:order:o-1', [{ act: 'dismiss', ...act }]);
  expect(await get('o-1')).toMatchObject({
    status: 404,
    body: {
      detail:
        'No live event counts in the order "o-1"; see acts for what operators did with the events that named it.',
      waiting: [],
      acts: [{ act: 'dismiss', event_id: 'evt-1', attention: null }],
    },
  });
});
