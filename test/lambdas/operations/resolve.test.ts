import { describe, expect, it } from 'vitest';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import { type EventFields, sent } from '../../doubles/event-body.ts';
import { ann, operatorAfter, reason } from '../../doubles/operations.ts';

const paid = (id: string, more: Partial<EventFields> = {}) =>
  sent({ id, order: 'A', transaction: id, ...more });
const twice = [paid('p1'), paid('p2')];
const name = 'multiple_paid_transactions';

describe('a resolution', () => {
  it('ends the attention of the facts that the operator saw, and is among the acts of the order', async () => {
    const { act, order, actsAt } = await operatorAfter(twice);
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 2 });
    expect([status, body]).toMatchObject([200, { act: 'resolve', changed: true, events: [] }]);
    expect(body.orders).toMatchObject([
      { before: { attention: [name], sequence: 2 }, after: { attention: [], sequence: 3 } },
    ]);
    expect(order('A')).toMatchObject({ status: 'paid', attention: [], sequence: 3 });
    const audit = { act: 'resolve', by: ann, at: body.at, reason, orderId: 'A', attention: [name] };
    expect(await actsAt('live:order:A')).toEqual([audit]);
  });

  it('stays when the same events are delivered again, and is void after a new fact of the order', async () => {
    const { act, consume, order } = await operatorAfter(twice);
    await act('resolve', { order_id: 'A', sequence: 2 });
    await consume(...twice);
    expect(order('A')).toMatchObject({ attention: [], sequence: 3 });
    await consume(paid('p3'));
    expect(order('A')?.attention).toEqual([name]);
  });

  it('is void after a replay with another meaning of a name', async () => {
    const settled = paid('n', { action: 'settled', transaction: 'p1' });
    const { act, order, setMeanings } = await operatorAfter([...twice, settled]);
    await act('resolve', { order_id: 'A', sequence: 3 });
    setMeanings({ 'transaction.settled': 'disputed' });
    expect(order('A')?.attention).toEqual([]);
    await act('replay', { order_id: 'A' });
    expect(order('A')?.attention).toEqual([name, 'disputed']);
  });
});

describe('a resolution is refused', () => {
  it('for too_many_events, while the other attentions of the order can be resolved', async () => {
    const fits = (_: unknown, facts: readonly string[]) =>
      facts.filter((fact) => fact.startsWith('["paid"')).length < 3;
    const { act, order, factsOf } = await operatorAfter([...twice, paid('p3')], { fits });
    expect(factsOf('A')).toContain(fullFact);
    const full = await act('resolve', { order_id: 'A', sequence: 3, attention: ['too_many_events'] });
    const isNamed = full.body.detail.includes('too_many_events cannot be resolved');
    expect([full.status, isNamed]).toEqual([409, true]);
    expect((await act('resolve', { order_id: 'A', sequence: 3 })).status).toBe(200);
    expect(order('A')?.attention).toEqual(['too_many_events']);
  });

  it('for a fact that this version cannot read', async () => {
    const { act, tables, order } = await operatorAfter(twice);
    const newer = { order: { mode: 'live', id: 'A' } as const, facts: ['["newer","x"]'] };
    await tables.open().store.merge({ ...newer, now: () => new Date() });
    const fields = { order_id: 'A', sequence: 3, attention: ['unreadable_fact'] };
    const { status, body } = await act('resolve', fields);
    expect([status, body.detail.includes('cannot read')]).toEqual([409, true]);
    await act('resolve', { order_id: 'A', sequence: 3 });
    expect(order('A')?.attention).toEqual(['unreadable_fact']);
  });

  it('by the full row of the order', async () => {
    const fits = (_: unknown, facts: readonly string[]) => facts.length < 3;
    const { act } = await operatorAfter(twice, { fits });
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 2 });
    const detail = 'The order "A" is full (too_many_events) and takes no resolution.';
    expect([status, body.detail]).toEqual([409, detail]);
  });
});
