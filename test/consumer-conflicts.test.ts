import { describe, expect, it } from 'vitest';
import { failing, setUpConsumer } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { type FactFields, fact } from './doubles/facts.ts';

const body = (fields: Omit<EventFields, 'id'>) => ({ body: eventBody({ id: 'e', ...fields }) });
const paid = (fields?: FactFields) => fact('e', 'paid', fields);
const isConflict = (text: string): boolean => text.startsWith('["conflict.1","e","');

describe('the same event in other bytes', () => {
  const first = body({ order: 'A', attempt: 1 });
  const second = body({ order: 'A', attempt: 2 });

  it('is a duplicate whose bytes are kept, and changes no order', async () => {
    const { consume, rows, factsOf, waiting, loggedOutcomes, events } = setUpConsumer();
    await consume(first);
    expect(await consume(second, second)).toEqual([]);
    expect(rows().map(({ record, outcome }) => [record.replace(/:.*/, ''), outcome])).toEqual([
      ['event', 'applied'],
      ['variant', 'duplicate'],
    ]);
    const [, variant] = [...events.values()];
    expect(Buffer.from(variant?.body ?? []).equals(second.body)).toBe(true);
    expect(factsOf('A')).toEqual([paid()]);
    expect(waiting()).toEqual([]);
    expect(loggedOutcomes()).toEqual(['applied', 'duplicate', 'duplicate']);
  });

  it('adds the fact that a crash kept out of its order', async () => {
    const fault = failing('merge');
    const { consume, factsOf } = setUpConsumer(fault);
    await consume(first);
    fault.repair();
    await consume(second);
    expect(factsOf('A')).toEqual([paid()]);
  });

  it('is a duplicate without an order id as well', async () => {
    const { consume, rows, waiting } = setUpConsumer();
    await consume(body({ action: 'refunded', attempt: 1 }));
    await consume(body({ action: 'refunded', attempt: 2 }));
    expect(rows().map(({ outcome }) => outcome)).toEqual(['unassigned', 'duplicate']);
    expect(waiting()).toEqual([['live:event:e', 'unassigned']]);
  });
});

describe('another event under the same id', () => {
  it.each([
    ['the other order', { order: 'B' }],
    ['another amount', { order: 'A', amount: '1.00' }],
    ['another name', { order: 'A', action: 'failed' }],
    ['no order', {}],
  ])('with %s is stored as a conflict that waits, once', async (_, other) => {
    const { consume, rows, waiting } = setUpConsumer();
    await consume(body({ order: 'A' }));
    for (let times = 0; times < 2; times += 1) expect(await consume(body(other))).toEqual([]);
    expect(rows().map(({ outcome }) => outcome)).toEqual(['applied', 'conflict']);
    expect(waiting()).toEqual([['live:event:e', 'conflict']]);
  });

  it.each([
    ['the larger first', ['100.00', '1.00']],
    ['the smaller first', ['1.00', '100.00']],
  ])('gives its order both facts, %s, when it names the same order', async (_, amounts) => {
    const { consume, factsOf } = setUpConsumer();
    for (const amount of amounts) await consume(body({ order: 'A', amount }));
    expect(factsOf('A').toSorted()).toEqual([paid({ amount: '1.00' }), paid({ amount: '100.00' })]);
  });

  it('joins the transactions of both bodies to their one order', async () => {
    const { consume, factsOf, waiting } = setUpConsumer();
    const refund = (id: string, transaction: string) =>
      consume({ body: eventBody({ id, action: 'refunded', transaction }) });
    await refund('early', 'U');
    expect(await consume(body({ order: 'A' }))).toEqual([]);
    expect(await consume(body({ order: 'A', transaction: 'U' }))).toEqual([]);
    await refund('r', 'T');
    await refund('s', 'U');
    expect(factsOf('A')).toHaveLength(5);
    expect(waiting()).toEqual([['live:event:e', 'conflict']]);
  });

  it.each([
    ['before their payment', ['refunds', 'payment']],
    ['after their payment', ['payment', 'refunds']],
  ])('gives the order of their transaction both facts, %s, when neither names an order', async (_, steps) => {
    const { consume, factsOf, events } = setUpConsumer();
    for (const step of steps) {
      if (step === 'payment') await consume({ body: eventBody({ id: 'p', order: 'A' }) });
      else for (const amount of ['60.00', '40.00']) await consume(body({ action: 'refunded', amount }));
    }
    expect(factsOf('A').toSorted()).toEqual([
      fact('e', 'refunded', { amount: '40.00' }),
      fact('e', 'refunded', { amount: '60.00' }),
      fact('p', 'paid'),
    ]);
    expect(events.get('live:event:e event')).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
  });

  it('marks both orders and counts the first event alone, when it names another order', async () => {
    const { consume, factsOf, statuses } = setUpConsumer();
    await consume(body({ order: 'A' }));
    await consume(body({ order: 'B' }));
    await consume(body({ order: 'B' }));
    expect(statuses()).toEqual([
      ['live:order:A', 'paid'],
      ['live:order:B', 'pending'],
    ]);
    expect(factsOf('A').filter(isConflict)).toEqual(factsOf('B'));
    expect(factsOf('A')).toHaveLength(2);
  });

  it('logs the status of the order that it names, not of the other one', async () => {
    const { consume, telemetry } = setUpConsumer();
    await consume(body({ order: 'A' }));
    await consume(body({ order: 'B' }));
    expect(telemetry.lines.map(({ fields }) => [fields['order_id'], fields['order_status']])).toEqual([
      ['A', 'paid'],
      ['B', 'pending'],
    ]);
  });

  it('does not join its order to the transaction, when it names another order', async () => {
    const { consume, factsOf } = setUpConsumer();
    await consume(body({ order: 'A' }));
    await consume(body({ order: 'B' }));
    await consume({ body: eventBody({ id: 'r', action: 'refunded' }) });
    expect(factsOf('A')).toContain(fact('r', 'refunded'));
    expect(factsOf('B')).toHaveLength(1);
  });

  it.each([
    ['before', ['conflict', 'payment']],
    ['after', ['payment', 'conflict']],
  ])('marks the order of the first one, known %s the conflict, when that named none', async (_, steps) => {
    const { consume, factsOf } = setUpConsumer();
    await consume(body({ action: 'refunded' }));
    for (const step of steps) {
      if (step === 'payment') await consume({ body: eventBody({ id: 'p', order: 'A' }) });
      else await consume(body({ action: 'refunded', order: 'B' }));
    }
    const marked = factsOf('A').filter(isConflict);
    expect(marked).toHaveLength(1);
    expect(factsOf('B')).toEqual(marked);
    expect(factsOf('A')).toContain(fact('e', 'refunded'));
  });

  it('marks the orders of both transactions, when they name two and no order', async () => {
    const { consume, factsOf } = setUpConsumer();
    for (const transaction of ['T', 'U']) await consume(body({ action: 'refunded', transaction }));
    for (const [order, transaction] of [
      ['A', 'T'],
      ['B', 'U'],
    ] as const)
      await consume({ body: eventBody({ id: `p${order}`, order, transaction }) });
    expect(factsOf('A').filter(isConflict)).toHaveLength(1);
    expect(factsOf('B').filter(isConflict)).toEqual(factsOf('A').filter(isConflict));
    expect(factsOf('B')).toHaveLength(2);
  });

  it('is stored and marks nothing, when neither names an order or a transaction', async () => {
    const { consume, rows, orders, transactions, telemetry } = setUpConsumer();
    for (const amount of ['1.00', '2.00', '2.00']) await consume(body({ transaction: null, amount }));
    expect(rows().map(({ outcome }) => outcome)).toEqual(['unassigned', 'conflict']);
    expect([orders.size, transactions.size]).toEqual([0, 0]);
    expect(telemetry.lines.map(({ level, fields }) => [level, fields['outcome']])).toEqual([
      ['warn', 'unassigned'],
      ['warn', 'conflict'],
      ['info', 'duplicate'],
    ]);
  });

  it.each(['put', 'merge'] as const)(
    'marks both orders although %s fails once after its effect',
    async (call) => {
      const fault = failing(call, new Error('lost'), 'after');
      const { consume, factsOf } = setUpConsumer(fault);
      const sent = [body({ order: 'A' }), body({ order: 'B' })];
      for (const one of sent) await consume(one);
      fault.repair();
      for (const one of sent) expect(await consume(one)).toEqual([]);
      expect(factsOf('A')).toContain(paid());
      expect(factsOf('A').filter(isConflict)).toEqual(factsOf('B'));
    },
  );
});
