import { describe, expect, it } from 'vitest';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import { delivered, setUpConsumer } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';

const payments = (...ids: string[]) => ids.map((id) => sent({ id, order: 'A', transaction: id }));
const refund = sent({ id: 'r', action: 'refunded', transaction: 'p1' });

/** After these messages. Orders have room for this many facts of events, until a test changes it. */
async function setUp(factsMax: number, ...messages: ReturnType<typeof sent>[]) {
  const room = { factsMax };
  const fits = (_: unknown, facts: readonly string[]) =>
    facts.filter((fact) => fact !== fullFact).length <= room.factsMax;
  return { ...(await delivered(messages, { fits })), room };
}
const refused = { event: 'quarantined, waits as order_refused' };
const applied = { event: 'applied' };

describe('a full order', () => {
  it('refuses an event, which waits with the reason order_refused, and is marked as full', async () => {
    const { consume, deliver, order, factsOf, row, telemetry } = await setUp(4);
    await consume(...payments('p1', 'p2', 'p3', 'p4'));
    await deliver(...payments('p5'));
    expect(factsOf('A')).toContain(fullFact);
    expect(order('A')).toMatchObject({ events: ['p1', 'p2', 'p3', 'p4'], sequence: 2 });
    expect(order('A')?.attention).toContain('too_many_events');
    const quarantine = { outcome: 'quarantined', reason: 'order_refused' };
    expect(row('p5')).toMatchObject({ ...quarantine, waiting: 'order_refused', reading: { orderId: 'A' } });
    const fields = { event_id: 'p5', ...quarantine };
    expect(telemetry.lines.at(-1)).toMatchObject({ level: 'warn', fields });
  });

  it('refuses an event also where the database alone finds that it has no room', async () => {
    const fits = (_: unknown, facts: readonly string[]) =>
      facts.filter((fact) => fact !== fullFact).length < 2;
    const { order, states } = await delivered(payments('p1', 'p2'), { fits, parts: { fits: () => true } });
    expect([states('p2'), order('A')?.events]).toEqual([refused, ['p1']]);
  });

  it('is refused an event that has waited for its payment, together with that payment', async () => {
    const { deliver, states, order, room } = await setUp(1, refund, ...payments('p1'));
    expect([states('p1'), states('r')]).toEqual([refused, refused]);
    expect(order('A')).toMatchObject({ events: [], attention: ['too_many_events'] });
    room.factsMax = 2;
    await deliver(...payments('p1'));
    expect([states('p1'), states('r')]).toEqual([applied, applied]);
    expect(order('A')?.events).toEqual(['p1', 'r']);
  });
});

it('a payment takes more facts of its transaction along than one write can hold', async () => {
  const sizes: number[] = [];
  const { consume, deliver, order } = setUpConsumer({
    async gate({ name, args }) {
      if (name === 'merge') sizes.push((args[0] as { facts: readonly string[] }).facts.length);
    },
  });
  const numbers = Array.from({ length: 40 }, (_, n) => n);
  for (const transaction of ['T', 'U'])
    await deliver(...numbers.map((n) => sent({ id: `${transaction}${n}`, action: 'refunded', transaction })));
  const both = ['T', 'U'].map((transaction) => sent({ id: `paid ${transaction}`, order: 'A', transaction }));
  expect(await consume(...both)).toEqual([]);
  expect(order('A')?.events).toHaveLength(82);
  expect(sizes.toSorted()).toEqual([32, 50]);
});
