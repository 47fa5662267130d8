import { describe, expect, it } from 'vitest';
import { type OrderWriter, PermanentStoreError } from '../lambdas/ports/stores.ts';
import { consumerOver, failing, setUpConsumer } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { type SentBody, sqsEvent } from './doubles/sqs-event.ts';

const body = (fields: EventFields) => ({ body: eventBody({ order: 'A', ...fields }), messageId: fields.id });
const full = '["full.1"]';
/** The fact of the payment "p1" has 59 bytes. */
const room = { orderBytesMax: 4 * 59 + 40, headroomBytes: 40 };
const payments = (...ids: string[]) => ids.map((id) => body({ id }));

describe('a full order', () => {
  it('refuses an event, which waits with the reason order_refused, and is marked as full', async () => {
    const { consume, factsOf, events, waiting, telemetry } = setUpConsumer({ room });
    await consume(...payments('p1', 'p2', 'p3', 'p4'));
    expect(await consume(body({ id: 'p5' }))).toEqual([]);
    expect(factsOf('A')).toHaveLength(5);
    expect(factsOf('A')).toContain(full);
    expect(waiting()).toEqual([['live:event:p5', 'order_refused']]);
    expect(events.get('live:event:p5 event')).toMatchObject({
      outcome: 'quarantined',
      reason: 'order_refused',
      orderId: 'A',
    });
    const logged = { outcome: 'quarantined', reason: 'order_refused' };
    expect(telemetry.lines.at(-1)).toMatchObject({ level: 'warn', fields: logged });
  });

  it('refuses the same events, in whichever order a batch has them', async () => {
    for (const ids of [
      ['p1', 'p2'],
      ['p2', 'p1'],
    ]) {
      const { consume, waiting } = setUpConsumer({ room: { ...room, orderBytesMax: 59 + 40 } });
      await consume(...payments(...ids));
      expect(waiting()).toEqual([['live:event:p2', 'order_refused']]);
    }
  });

  it('refuses only the facts of a batch that do not fit', async () => {
    const { consume, factsOf, waiting } = setUpConsumer({ room });
    const large = body({ id: 'large', amount: '1'.repeat(200) });
    expect(await consume(...payments('p1', 'p2'), large, body({ id: 'p3' }))).toEqual([]);
    expect(factsOf('A').toSorted()).toEqual([
      fact('p1', 'paid'),
      fact('p2', 'paid'),
      fact('p3', 'paid'),
      full,
    ]);
    expect(waiting()).toEqual([['live:event:large', 'order_refused']]);
  });

  it('keeps what waits although not even its mark fits', async () => {
    const { consume, waiting, rows, telemetry } = setUpConsumer(
      failing('merge', new PermanentStoreError('full')),
    );
    expect(await consume(body({ id: 'p1' }))).toEqual([]);
    expect(telemetry.lines[0]?.fields).toMatchObject({ outcome: 'quarantined', order_status: undefined });
    expect(rows()).toEqual([
      { key: 'live:event:p1', record: 'event', outcome: 'quarantined', reason: 'order_refused' },
    ]);
    expect(waiting()).toEqual([['live:event:p1', 'order_refused']]);
  });

  it('applies a waiting event that is delivered again when there is room', async () => {
    const fault = failing('merge', new PermanentStoreError('full'));
    const { consume, waiting, factsOf, rows } = setUpConsumer(fault);
    await consume(body({ id: 'p1' }));
    fault.repair();
    expect(await consume(body({ id: 'p1' }))).toEqual([]);
    expect(waiting()).toEqual([]);
    expect(rows()).toEqual([
      { key: 'live:event:p1', record: 'event', outcome: 'applied', reason: undefined },
    ]);
    expect(factsOf('A')).toEqual([fact('p1', 'paid')]);
  });

  it('refuses an event without an order id, which waits with the order that refused it', async () => {
    const { consume, events, waiting } = setUpConsumer({ room });
    await consume(...payments('p1', 'p2', 'p3', 'p4'));
    const refund = eventBody({ id: 'refund', action: 'refunded' });
    expect(await consume({ body: refund })).toEqual([]);
    expect(waiting()).toEqual([['live:event:refund', 'order_refused']]);
    expect(events.get('live:event:refund event')).toMatchObject({ assignedOrderId: 'A' });
  });

  it('refuses an event that waited for its payment, and the payment is applied', async () => {
    const { consume, factsOf, waiting } = setUpConsumer({ room: { ...room, orderBytesMax: 59 + 40 } });
    await consume({ body: eventBody({ id: 'large', action: 'refunded', amount: '1'.repeat(200) }) });
    expect(await consume(body({ id: 'p1' }))).toEqual([]);
    expect(factsOf('A')).toEqual([fact('p1', 'paid'), full]);
    expect(waiting()).toEqual([['live:event:large', 'order_refused']]);
  });

  it('keeps what it refused waiting, although the consumer of another order of the transaction ends last', async () => {
    const stores = memoryStores();
    const merge: OrderWriter['merge'] = async (request) => {
      if (request.order.id === 'full') throw new PermanentStoreError('The row is full.');
      return stores.writer.merge(request);
    };
    const consume = consumerOver(stores, { orders: { merge } });
    await consume(sqsEvent({ body: eventBody({ id: 'refund', action: 'refunded' }) }));
    // It has joined its order, and then another consumer handles the payment of the full one.
    const slow: OrderWriter['merge'] = async (request) => {
      await consume(sqsEvent(body({ id: 'p2', order: 'full' })));
      return merge(request);
    };
    await consumerOver(stores, { orders: { merge: slow } })(sqsEvent(body({ id: 'p1', order: 'other' })));
    expect(stores.events.get('live:event:refund event')).toMatchObject({
      outcome: 'quarantined',
      waiting: 'order_refused',
      assignedOrderId: 'full',
    });
  });

  it('returns the record to the queue while its waiting row is not stored', async () => {
    const fault = failing('settle');
    const { consume, waiting } = setUpConsumer({ room, inject: fault.inject });
    await consume(...payments('p1', 'p2', 'p3', 'p4'));
    expect(await consume(body({ id: 'p5' }))).toEqual(['p5']);
    fault.repair();
    expect(await consume(body({ id: 'p5' }))).toEqual([]);
    expect(waiting()).toEqual([['live:event:p5', 'order_refused']]);
  });

  it('takes more facts in one batch than one write can hold', async () => {
    const sizes: number[] = [];
    const stores = memoryStores(() => {}, { transactionFactsMax: 50 });
    const merge: OrderWriter['merge'] = (request) => {
      sizes.push(request.facts.length);
      return stores.writer.merge(request);
    };
    const consumeBatch = consumerOver(stores, { orders: { merge } });
    const consume = async (...sent: SentBody[]) => (await consumeBatch(sqsEvent(...sent))).batchItemFailures;
    for (const transaction of ['T', 'U']) {
      const refunds = Array.from({ length: 40 }, (_, n) =>
        eventBody({ id: `${transaction}${n}`, action: 'refunded', transaction }),
      );
      await consume(...refunds.map((one) => ({ body: one })));
    }
    expect(await consume(body({ id: 'p1' }), body({ id: 'p2', transaction: 'U' }))).toEqual([]);
    expect(stores.orders.get('live:order:A')?.facts.size).toBe(82);
    expect(sizes).toEqual([50, 32]);
  });
});
