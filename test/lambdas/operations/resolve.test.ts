import { describe, expect, it } from 'vitest';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import { type EventFields, sent } from '../../doubles/event-body.ts';
import { ann, reason, setUpOperator } from '../../doubles/operations.ts';

const payment = (id: string, more: Partial<EventFields> = {}) =>
  sent({ id, order: 'A', transaction: id, ...more });
const twice = [payment('p1'), payment('p2')];
const name = 'multiple_paid_transactions';

/** An order that was paid twice. */
async function setUp(set: Parameters<typeof setUpOperator>[0] = {}) {
  const operator = setUpOperator(set);
  await operator.consume(...twice);
  return operator;
}

describe('a resolution', () => {
  it('ends the attention of the facts that the operator saw, and is among the acts of the order', async () => {
    const { act, order, actsAt } = await setUp();
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 2 });
    expect([status, body]).toMatchObject([200, { act: 'resolve', changed: true, events: [] }]);
    expect(body.orders).toMatchObject([
      { before: { attention: [name], sequence: 2 }, after: { attention: [], sequence: 3 } },
    ]);
    expect(order('A')).toMatchObject({ status: 'paid', attention: [], sequence: 3 });
    const audit = { act: 'resolve', by: ann, at: body.at, reason, orderId: 'A', attention: [name] };
    expect(await actsAt('live:order:A')).toEqual([audit]);
  });

  it('is void after a new fact of the order', async () => {
    const { act, consume, order } = await setUp();
    await act('resolve', { order_id: 'A', sequence: 2 });
    await consume(payment('p3'));
    expect(order('A')?.attention).toEqual([name]);
  });

  it('stays when the same events are delivered again', async () => {
    const { act, consume, order } = await setUp();
    await act('resolve', { order_id: 'A', sequence: 2 });
    await consume(...twice);
    expect(order('A')).toMatchObject({ attention: [], sequence: 3 });
  });

  it('is void after a replay with another meaning of a name', async () => {
    const { act, consume, order, setMeanings } = await setUp();
    await consume(payment('n', { action: 'settled', transaction: 'p1' }));
    await act('resolve', { order_id: 'A', sequence: 3 });
    setMeanings({ 'transaction.settled': 'disputed' });
    expect(order('A')?.attention).toEqual([]);
    await act('replay', { order_id: 'A' });
    expect(order('A')?.attention).toEqual([name, 'disputed']);
  });
});

describe('a resolution is refused', () => {
  it('with another sequence than that of the order, and names both', async () => {
    const { act } = await setUp();
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 1 });
    expect(status).toBe(409);
    expect(body.detail).toContain('The order "A" has the sequence 2 now, and not 1.');
  });

  it('for an attention that the order does not list, and names those that it lists', async () => {
    const { act } = await setUp();
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 2, attention: ['disputed'] });
    const detail = `disputed cannot be resolved: the order "A" lists ${name}.`;
    expect([status, body.detail]).toEqual([409, detail]);
  });

  it('for an order without an attention', async () => {
    const { act, consume } = setUpOperator();
    await consume(payment('p1'));
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 1 });
    const detail = 'Nothing is to be resolved: the order "A" lists no attention.';
    expect([status, body.detail]).toEqual([409, detail]);
  });

  it('for an order of which nothing is known, and without an order or its sequence', async () => {
    const { act } = await setUp();
    expect((await act('resolve', { order_id: 'B', sequence: 1 })).status).toBe(404);
    for (const fields of [
      { order_id: 'A' },
      { sequence: 2 },
      { order_id: 'A', sequence: 2, attention: ['x'] },
    ])
      expect((await act('resolve', fields)).status).toBe(400);
  });

  it('for too_many_events, while the other attentions of the order can be resolved', async () => {
    const fits = (_: unknown, facts: readonly string[]) =>
      facts.filter((fact) => fact.startsWith('["paid"')).length < 3;
    const { act, consume, order, factsOf } = await setUp({ fits });
    await consume(payment('p3'));
    expect(factsOf('A')).toContain(fullFact);
    const full = await act('resolve', { order_id: 'A', sequence: 3, attention: ['too_many_events'] });
    expect([full.status, full.body.detail.includes('too_many_events cannot be resolved')]).toEqual([
      409,
      true,
    ]);
    expect((await act('resolve', { order_id: 'A', sequence: 3 })).status).toBe(200);
    expect(order('A')?.attention).toEqual(['too_many_events']);
  });

  it('for a fact that this version cannot read', async () => {
    const { act, tables, order } = await setUp();
    const { store } = tables.open();
    const newer = {
      order: { mode: 'live', id: 'A' } as const,
      facts: ['["newer","x"]'],
      now: () => new Date(),
    };
    await store.merge(newer);
    const fields = { order_id: 'A', sequence: 3, attention: ['unreadable_fact'] };
    const { status, body } = await act('resolve', fields);
    expect([status, body.detail.includes('cannot read')]).toEqual([409, true]);
    await act('resolve', { order_id: 'A', sequence: 3 });
    expect(order('A')?.attention).toEqual(['unreadable_fact']);
  });

  it('by the full row of the order', async () => {
    const fits = (_: unknown, facts: readonly string[]) => facts.length < 3;
    const { act } = await setUp({ fits });
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 2 });
    const detail = 'The order "A" is full (too_many_events) and takes no resolution.';
    expect([status, body.detail]).toEqual([409, detail]);
  });
});
