import { describe, expect, it } from 'vitest';
import { createMeaningOf } from '../lambdas/domain/assumptions.ts';
import { consumerOver, failing, setUpConsumer } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

const body = (fields: EventFields) => ({ body: eventBody(fields), messageId: fields.id });
const payment = body({ id: 'pay', order: 'A' });
const refund = body({ id: 'refund', action: 'refunded' });
const paid = fact('pay', 'paid');
const refunded = fact('refund', 'refunded');
const shared = '["shared.1","T"]';
const order = (id: string) => `live:order:${id}`;

describe('an event without an order id', () => {
  it.each([
    ['after its payment', [payment, refund]],
    ['before its payment', [refund, payment]],
  ])('reaches the order of its transaction when it arrives %s', async (_, sent) => {
    const { consume, factsOf, statuses, events, waiting, loggedOutcomes } = setUpConsumer();
    for (const one of sent) expect(await consume(one)).toEqual([]);
    expect(factsOf('A').toSorted()).toEqual([paid, refunded]);
    expect(statuses()).toEqual([[order('A'), 'refunded']]);
    expect(events.get('live:event:refund event')).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
    expect(waiting()).toEqual([]);
    expect(loggedOutcomes()).toEqual(
      sent[0] === payment ? ['applied', 'applied'] : ['unassigned', 'applied'],
    );
  });

  it.each([[[payment, refund]], [[refund, payment]]])(
    'reaches the order of its transaction within one batch',
    async (batch) => {
      const { consume, statuses, waiting } = setUpConsumer();
      expect(await consume(...batch)).toEqual([]);
      expect(statuses()).toEqual([[order('A'), 'refunded']]);
      expect(waiting()).toEqual([]);
    },
  );

  it.each(['paid', 'refunded', 'failed', 'disputed'])(
    'waits as unassigned while no order of its transaction is known, if it is %s',
    async (action) => {
      const { consume, rows, waiting, orders, telemetry } = setUpConsumer();
      expect(await consume(body({ id: 'e', action, order: null }))).toEqual([]);
      expect(rows()).toEqual([
        { key: 'live:event:e', record: 'event', outcome: 'unassigned', reason: undefined },
      ]);
      expect(waiting()).toEqual([['live:event:e', 'unassigned']]);
      expect(orders.size).toBe(0);
      expect(telemetry.lines[0]?.fields).toMatchObject({ outcome: 'unassigned', order_id: null });
    },
  );

  it.each([null, '', undefined])('waits as unassigned with the order id %j', async (id) => {
    const { consume, waiting } = setUpConsumer();
    await consume(body({ id: 'e', order: id as string | null, action: 'refunded' }));
    expect(waiting()).toEqual([['live:event:e', 'unassigned']]);
  });

  it('waits as unassigned without a transaction id too', async () => {
    const { consume, waiting, transactions } = setUpConsumer();
    await consume(body({ id: 'e', action: 'refunded', transaction: null }));
    expect(waiting()).toEqual([['live:event:e', 'unassigned']]);
    expect(transactions.size).toBe(0);
  });

  it('has its fact in the order, and does not wait, when it moves no money', async () => {
    const { consume, factsOf, waiting, events } = setUpConsumer();
    await consume(body({ id: 'note', action: 'note' }));
    expect(events.get('live:event:note event')).toMatchObject({ outcome: 'recorded' });
    expect(waiting()).toEqual([]);
    await consume(payment);
    expect(factsOf('A')).toHaveLength(2);
    expect(events.get('live:event:note event')).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
  });

  it('does not wait when its configured meaning is history', async () => {
    const meaningOf = createMeaningOf({ 'transaction.note': 'history' });
    const { consume, rows, waiting } = setUpConsumer({ parts: { meaningOf } });
    await consume(body({ id: 'note', action: 'note' }));
    expect(rows()).toMatchObject([{ outcome: 'recorded' }]);
    expect(waiting()).toEqual([]);
  });

  it('reaches no order of another transaction, and none in the other mode', async () => {
    const { consume, factsOf, waiting } = setUpConsumer();
    await consume(payment);
    await consume(body({ id: 'other', action: 'refunded', transaction: 'U' }));
    await consume({ ...body({ id: 'box', action: 'refunded', sandbox: true }), mode: 'sandbox' });
    expect(factsOf('A')).toEqual([paid]);
    expect(waiting()).toEqual([
      ['live:event:other', 'unassigned'],
      ['sandbox:event:box', 'unassigned'],
    ]);
  });

  it('is not joined to the order of a refund: only a payment shows where a transaction belongs', async () => {
    const { consume, transactions } = setUpConsumer();
    await consume(body({ id: 'r', action: 'refunded', order: 'A' }));
    expect(transactions.size).toBe(0);
  });

  it('is joined by a payment under a configured name', async () => {
    const meaningOf = createMeaningOf({ 'transaction.settled': 'paid' });
    const { consume, factsOf } = setUpConsumer({ parts: { meaningOf } });
    await consume(refund, body({ id: 's', action: 'settled', order: 'A' }));
    expect(factsOf('A')).toContain(refunded);
  });

  it('is joined by an earlier payment that is delivered again once its name means paid', async () => {
    const stores = memoryStores();
    const settled = sqsEvent(body({ id: 's', action: 'settled', order: 'A' }));
    await consumerOver(stores)(settled);
    await consumerOver(stores)(sqsEvent(refund));
    expect(stores.events.get('live:event:refund event')).toMatchObject({ waiting: 'unassigned' });
    const meaningOf = createMeaningOf({ 'transaction.settled': 'paid' });
    await consumerOver(stores, { meaningOf })(settled);
    expect(stores.events.get('live:event:refund event')).toMatchObject({
      outcome: 'applied',
      assignedOrderId: 'A',
    });
    expect(stores.orders.get('live:order:A')?.facts.has(refunded)).toBe(true);
  });

  const operations = ['put', 'join', 'merge', 'settle'] as const;
  const moments = ['before', 'after'] as const;
  const crashes = operations.flatMap((operation) => moments.map((moment) => [operation, moment] as const));
  it.each(crashes)(
    'reaches its order although each call of %s fails once, %s its effect',
    async (...crash) => {
      const [operation, moment] = crash;
      for (const sent of [
        [payment, refund],
        [refund, payment],
      ]) {
        const fault = failing(operation, new Error('throttled'), moment);
        const { consume, statuses, waiting, events } = setUpConsumer(fault);
        for (const one of sent) await consume(one);
        fault.repair();
        // The queue delivers again what was not done, in the order of failure or not.
        for (const one of sent.toReversed()) expect(await consume(one)).toEqual([]);
        expect(statuses()).toEqual([[order('A'), 'refunded']]);
        expect(events.get('live:event:refund event')).toMatchObject({
          outcome: 'applied',
          assignedOrderId: 'A',
        });
        expect(waiting()).toEqual([]);
      }
    },
  );

  it('that 0.2.0 recorded is corrected when it is delivered again, and then reaches its order', async () => {
    const { consume, events, waiting, factsOf } = setUpConsumer();
    await consume(refund);
    const { fact: _, waiting: __, ...old } = events.get('live:event:refund event') ?? {};
    events.set('live:event:refund event', { ...old, outcome: 'recorded' } as never);
    await consume(refund);
    expect(waiting()).toEqual([['live:event:refund', 'unassigned']]);
    await consume(payment);
    expect(factsOf('A')).toContain(refunded);
    expect(events.get('live:event:refund event')).toMatchObject({ outcome: 'applied', fact: refunded });
  });
});

it('an event whose order id only a later release finds is applied to it when it is delivered again', async () => {
  const { consume, events, factsOf } = setUpConsumer();
  await consume(payment);
  const { orderId: _, ...row } = events.get('live:event:pay event') ?? {};
  events.set('live:event:pay event', { ...row, outcome: 'recorded' } as never);
  await consume(payment);
  expect(events.get('live:event:pay event')).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
  expect(factsOf('A')).toEqual([paid]);
});

describe('a transaction that is paid in two orders', () => {
  const second = body({ id: 'pay-2', order: 'B' });

  it('keeps a payment in its order, although only a later release finds its order id', async () => {
    const { consume, events } = setUpConsumer();
    await consume(payment);
    await consume(second);
    const { orderId: _, ...row } = events.get('live:event:pay-2 event') ?? {};
    events.set('live:event:pay-2 event', { ...row, outcome: 'recorded' } as never);
    await consume(second);
    expect(events.get('live:event:pay-2 event')).toMatchObject({ outcome: 'applied', assignedOrderId: 'B' });
  });

  const orderings = [
    [payment, second, refund],
    [payment, refund, second],
    [refund, payment, second],
    [refund, second, payment],
    [second, refund, payment],
    [second, payment, refund],
  ];

  it.each(orderings.map((sent) => [sent.map(({ messageId }) => messageId).join(', '), sent] as const))(
    'marks both orders, and both have what names no order, after %s',
    async (_, sent) => {
      const { consume, factsOf, events } = setUpConsumer();
      for (const one of sent) await consume(one);
      expect(factsOf('A').toSorted()).toEqual([paid, refunded, shared]);
      expect(factsOf('B').toSorted()).toEqual([fact('pay-2', 'paid'), refunded, shared]);
      expect(events.get('live:event:refund event')).toMatchObject({
        outcome: 'applied',
        assignedOrderId: 'A',
      });
    },
  );

  it('does not mark an order that pays two transactions, or one transaction twice', async () => {
    const { consume, factsOf } = setUpConsumer();
    await consume(
      payment,
      body({ id: 'again', order: 'A' }),
      body({ id: 'u', order: 'A', transaction: 'U' }),
    );
    expect(factsOf('A').filter((one) => one.includes('shared.1'))).toEqual([]);
  });
});

describe('the row of a transaction', () => {
  it('does not exist for a payment that names an order and no transaction', async () => {
    const { consume, factsOf, transactions } = setUpConsumer();
    expect(await consume(body({ id: 'pay', order: 'A', transaction: null }))).toEqual([]);
    expect(factsOf('A')).toHaveLength(1);
    expect(transactions.size).toBe(0);
  });

  it('takes as many facts as it has room for; others wait, and the next payment is not blocked', async () => {
    const { consume, factsOf, waiting } = setUpConsumer({ room: { transactionFactsMax: 2 } });
    const refunds = ['r1', 'r2', 'r3'].map((id) => body({ id, action: 'refunded' }));
    expect(await consume(...refunds)).toEqual([]);
    expect(await consume(payment)).toEqual([]);
    expect(factsOf('A')).toHaveLength(3);
    expect(waiting()).toEqual([['live:event:r3', 'unassigned']]);
    // Delivered again, it finds the order.
    await consume(refunds[2] ?? payment);
    expect(factsOf('A')).toHaveLength(4);
    expect(waiting()).toEqual([]);
  });

  it('takes as many orders as it has room for; another one is applied and marked', async () => {
    const { consume, factsOf } = setUpConsumer({ room: { transactionOrdersMax: 2 } });
    await consume(refund);
    for (const id of ['A', 'B', 'C']) expect(await consume(body({ id: `pay-${id}`, order: id }))).toEqual([]);
    expect(factsOf('B').toSorted()).toEqual([fact('pay-B', 'paid'), refunded, shared]);
    expect(factsOf('C').toSorted()).toEqual([fact('pay-C', 'paid'), shared]);
  });
});
