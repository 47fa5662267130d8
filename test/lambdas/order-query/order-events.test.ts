import type { OrderEventDetail } from '@payhooks/order-client';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { orderBodiesEventsMax } from '../../../lambdas/contract/operations-limits.ts';
import type { Act } from '../../../lambdas/ports/acts.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { fact } from '../../doubles/facts.ts';
import { setUpQuery } from '../../doubles/order-query.ts';

const payment = (eventId: string, amount: string, more: object = {}) =>
  bytesOf(paidEvent({ seed: amount, orderId: 'o-1', transactionId: 't-1', eventId, amount, ...more }));
/** Facts of events that changed nothing, and whose rows cannot be read. */
const historyFacts = (count: number) =>
  Array.from({ length: count }, (_, n) => fact(`evt-${n}`, 'updated', { transactionId: null }));

/** The order query after these bodies were recorded, each a second after the one before. */
async function setUp(...bodies: Uint8Array[]) {
  const { deliver, commit, get, acts } = setUpQuery();
  for (const [n, body] of bodies.entries())
    await deliver([body], `2026-11-21T10:00:${String(n).padStart(2, '0')}.000Z`);
  return {
    get: async (order_id: string) => (await get('/orders/{order_id}/events', { order_id })).body,
    addFacts: (facts: readonly string[]) => commit('o-1', Date.now(), facts),
    addAct: (n: number, act: Act) => acts.set(`live:order:o-1\nact:${n}`, act),
  };
}

const stepOf = ({ status_after, attention_after }: { status_after: unknown; attention_after: unknown }) => [
  status_after,
  attention_after,
];

describe('of two bodies under one event id, GET /orders/{order_id}/events', () => {
  const [small, large] = [payment('evt-1', '1.00'), payment('evt-1', '100.00')];

  it.each([
    ['second', [small, large], '2026-11-21T10:00:01.000Z'],
    ['first', [large, small], '2026-11-21T10:00:00.000Z'],
  ])(
    'shows the %s as the one that counts, and the state after each',
    async (counting, bodies, recordedAt) => {
      const { get } = await setUp(...bodies, payment('evt-0', '5.00', { transactionId: 't-2' }));
      const { events } = await get('o-1');
      const others = [
        { body_sha256: sha256(small), counts: false, order_id: 'o-1', amount: '1.00', currency: 'USD' },
      ];
      expect(events).toMatchObject([
        { id: 'evt-1', body_sha256: sha256(large), recorded_at: recordedAt, counts: true, others },
        { id: 'evt-0' },
      ]);
      const [event, last] = events;
      const [other] = event.others;
      expect((counting === 'first' ? [event, other, last] : [other, event, last]).map(stepOf)).toEqual([
        ['paid', []],
        ['paid', ['conflicting_event']],
        ['paid', ['multiple_paid_transactions', 'conflicting_event']],
      ]);
    },
  );

  it('shows the first for its order when the second names another order, and none for that one', async () => {
    const elsewhere = payment('evt-1', '100.00', { orderId: 'o-2' });
    const { get } = await setUp(small, elsewhere);
    const others = [{ body_sha256: sha256(elsewhere), order_id: 'o-2', waiting: 'conflict' }];
    expect((await get('o-1')).events).toMatchObject([{ body_sha256: sha256(small), counts: true, others }]);
    expect(await get('o-2')).toMatchObject({
      events: [],
      waiting: [{ event_id: 'evt-1', body_sha256: sha256(elsewhere) }],
    });
  });
});

describe('the state after each body in GET /orders/{order_id}/events', () => {
  it('is shown for a conflicting body that reaches its order through the transaction', async () => {
    const refund = (amount: string, transactionId: string) =>
      payment('evt-2', amount, { orderId: '', transactionId, eventName: 'transaction.refunded' });
    const bodies = [payment('evt-1', '9.00'), refund('1.00', 't-1'), refund('2.00', 't-2')];
    const { get } = await setUp(...bodies);
    const [, event] = (await get('o-1')).events;
    expect(event.others[0].attention_after).toContain('conflicting_event');
    expect(event.attention_after).not.toContain('conflicting_event');
  });

  it('is null for all but the newest 100 events', async () => {
    const { get, addFacts } = await setUp(payment('evt-z', '1.00'));
    await addFacts(historyFacts(100));
    const [oldest, ...others] = (await get('o-1')).events.map(stepOf);
    expect(oldest).toEqual([null, null]);
    expect(others).toEqual([...Array(99).fill(['pending', []]), ['paid', []]]);
  });
});

describe('GET /orders/{order_id}/events', () => {
  it('lists what operators did, oldest first, each attention of a resolution for itself', async () => {
    const { get, addAct } = await setUp(payment('evt-1', '1.00'));
    const ana = { by: 'arn:aws:iam::111122223333:user/ana', reason: 'confirmed', orderId: 'o-1' };
    const [at, later] = ['2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z'];
    addAct(1, { act: 'admit', ...ana, at, eventId: 'evt-1' });
    addAct(2, { act: 'resolve', ...ana, at: later, attention: ['disputed', 'currency_mixed'] });
    const nothing = { event_id: null, order_id: 'o-1', body_sha256: null, proposal: null };
    const { by, reason } = ana;
    expect((await get('o-1')).acts).toEqual([
      { act: 'admit', by, reason, at, ...nothing, event_id: 'evt-1', attention: null },
      { act: 'resolve', by, reason, at: later, ...nothing, attention: 'disputed' },
      { act: 'resolve', by, reason, at: later, ...nothing, attention: 'currency_mixed' },
    ]);
  });

  it('compares the bodies of 50 events, contested ones first, and lists the rest', async () => {
    const { get, addFacts } = await setUp(payment('evt-z', '1.00'), payment('evt-z', '2.00'));
    await addFacts(historyFacts(orderBodiesEventsMax));
    const body = await get('o-1');
    const counts = new Map(body.events.map((event: OrderEventDetail) => [event.id, event.counts]));
    expect(counts.size).toBe(51);
    expect(counts.get('evt-z')).toBe(true);
  });

  it('lists an event with too many bodies with what its row says, and no others', async () => {
    const more = Array.from({ length: 51 }, (_, n) => payment('evt-1', `${n}.50`));
    const { get } = await setUp(payment('evt-1', '100.00'), ...more.slice(0, 9));
    expect((await get('o-1')).events[0].others).toHaveLength(9);
    const many = await setUp(payment('evt-1', '100.00'), ...more);
    const [event] = (await many.get('o-1')).events;
    expect(event).toMatchObject({ received_at: '2026-11-21T10:00:00.000Z', counts: null, others: null });
  });
});
