import { describe, expect, it } from 'vitest';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import { setUpConsumer } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';

const payments = (...ids: string[]) => ids.map((id) => sent({ id, order: 'A', transaction: id }));
const refund = sent({ id: 'r', action: 'refunded', transaction: 'p1' });

/** Orders have room for this many facts of events, until a test changes it. */
function setUp(factsMax: number, hooks = {}) {
  const room = { factsMax };
  const fits = (_: unknown, facts: readonly string[]) =>
    facts.filter((fact) => fact !== fullFact).length <= room.factsMax;
  return { ...setUpConsumer({ fits, ...hooks }), room };
}
const refused = { event: 'quarantined, waits as order_refused' };

describe('a full order', () => {
  it('refuses an event, which waits with the reason order_refused, and is marked as full', async () => {
    const { consume, order, factsOf, row, telemetry } = setUp(4);
    await consume(...payments('p1', 'p2', 'p3', 'p4'));
    expect(await consume(...payments('p5'))).toEqual([]);
    expect(factsOf('A')).toContain(fullFact);
    expect(order('A')).toMatchObject({ events: ['p1', 'p2', 'p3', 'p4'], sequence: 2 });
    expect(order('A')?.attention).toContain('too_many_events');
    expect(row('p5')).toMatchObject({
      ...{ outcome: 'quarantined', reason: 'order_refused', waiting: 'order_refused' },
      reading: { orderId: 'A' },
    });
    const fields = { event_id: 'p5', outcome: 'quarantined', reason: 'order_refused' };
    expect(telemetry.lines.at(-1)).toMatchObject({ level: 'warn', fields });
  });

  it('takes an event that is delivered again when there is room', async () => {
    const { consume, order, states, room } = setUp(1);
    for (const payment of payments('p1', 'p2')) await consume(payment);
    room.factsMax = 2;
    expect(await consume(...payments('p2'))).toEqual([]);
    expect(states('p2')).toEqual({ event: 'applied' });
    expect(order('A')?.events).toEqual(['p1', 'p2']);
  });

  it('refuses an event without an order id, whose row names it', async () => {
    const { consume, row, order } = setUp(1);
    await consume(...payments('p1'));
    expect(await consume(refund)).toEqual([]);
    const reason = 'order_refused';
    expect(row('r')).toMatchObject({
      outcome: 'quarantined',
      reason,
      waiting: reason,
      assignedOrderIds: ['A'],
    });
    expect(order('A')?.events).toEqual(['p1']);
  });

  it('is refused an event that has waited for its payment, together with that payment', async () => {
    const { consume, states, order, room } = setUp(1);
    await consume(refund);
    expect(await consume(...payments('p1'))).toEqual([]);
    expect([states('p1'), states('r')]).toEqual([refused, refused]);
    expect(order('A')).toMatchObject({ events: [], attention: ['too_many_events'] });
    room.factsMax = 2;
    await consume(...payments('p1'));
    expect([states('p1'), states('r')]).toEqual([{ event: 'applied' }, { event: 'applied' }]);
    expect(order('A')?.events).toEqual(['p1', 'r']);
  });
});

it('a payment takes more facts of its transaction along than one write can hold', async () => {
  const sizes: number[] = [];
  const { consume, order } = setUpConsumer({
    async gate({ name, args }) {
      if (name === 'merge') sizes.push((args[0] as { facts: readonly string[] }).facts.length);
    },
  });
  for (const transaction of ['T', 'U'])
    for (let n = 0; n < 40; n += 1)
      await consume(sent({ id: `${transaction}${n}`, action: 'refunded', transaction }));
  const both = ['T', 'U'].map((transaction) => sent({ id: `paid ${transaction}`, order: 'A', transaction }));
  expect(await consume(...both)).toEqual([]);
  expect(order('A')?.events).toHaveLength(82);
  expect(sizes.toSorted()).toEqual([32, 50]);
});
