import { describe, expect, it } from 'vitest';
import { delivered } from '../../doubles/consumer.ts';
import { payment, sent } from '../../doubles/event-body.ts';

const waits = { event: 'applied', conflict: 'conflict, waits as conflict' };

describe('another event under the same id', () => {
  it('waits with its body, and counts when the fold chooses it within one order', async () => {
    const other = sent({ id: 'p', order: 'A', amount: '70.00' });
    const { order, states, row, factsOf } = await delivered([payment, other]);
    expect(states('p')).toEqual(waits);
    expect(row('p', 'conflict')).toMatchObject({ body: other.body, assignedOrderIds: [] });
    expect(factsOf('A')).toHaveLength(2);
    expect(order('A')).toMatchObject({ events: ['p'], attention: ['conflicting_event'] });
  });

  it('marks the orders of both transactions when they name two and no order', async () => {
    const { order, entriesOf } = await delivered([
      payment,
      sent({ id: 'p2', order: 'B', transaction: 'U' }),
      sent({ id: 'r', action: 'refunded', amount: '1.00' }),
      sent({ id: 'r', action: 'refunded', transaction: 'U', amount: '1.00' }),
    ]);
    expect(order('A')).toMatchObject({ status: 'partially_refunded', attention: ['conflicting_event'] });
    expect(order('B')).toMatchObject({ status: 'paid', attention: ['conflicting_event'], events: ['p2'] });
    expect(entriesOf('U')).toContainEqual(['conflict', 'r', expect.any(String), 'U']);
  });

  it('of the same transaction and no order counts there when the fold chooses it', async () => {
    const refunds = ['1.00', '2.00'].map((amount) => sent({ id: 'r', action: 'refunded', amount }));
    const { order, states, factsOf } = await delivered([...refunds, payment]);
    expect(states('r')).toEqual(waits);
    const kinds = factsOf('A').map((text) => JSON.parse(text)[0]);
    expect(kinds.toSorted()).toEqual(['paid', 'refunded', 'refunded']);
    expect(order('A')?.attention).toEqual(['conflicting_event']);
  });
});

it('an id with more than fifty bodies has further ones stored, which wait; its orders stay the same', async () => {
  const bodyOf = (n: number) => sent({ id: 'p', order: `O${n}`, transaction: `T${n}` });
  const bodies = Array.from({ length: 51 }, (_, n) => bodyOf(n));
  const { deliver, rowsOf, telemetry, tables, order } = await delivered(bodies);
  expect(order('O50')?.attention).toEqual(['conflicting_event']);
  const orders = JSON.stringify([...tables.orders]);
  await deliver(bodyOf(51));
  const waiting = rowsOf('p').filter((row) => row.waiting === 'conflict' && row.outcome === 'conflict');
  expect([rowsOf('p').length, waiting.length]).toEqual([52, 51]);
  expect(JSON.stringify([...tables.orders])).toBe(orders);
  const fields = { event_id: 'p', reason: 'too_many_bodies' };
  expect(telemetry.lines).toContainEqual({ level: 'error', message: 'event left as it is', fields });
});
