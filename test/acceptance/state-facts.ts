import { createHmac } from 'node:crypto';
import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { reserialised, withoutOrder } from './odd-events.ts';
import { privateKey, record, type StateFact } from './pipeline.ts';

/** Money that an order shows although nothing names its order. */
export function moneyFacts(fact: StateFact): void {
  fact('a refund without an order id that comes before its payment reaches its order', async (pipeline) => {
    const options = { orderId: 'orderless', seed: 'orderless' };
    await record(
      pipeline,
      withoutOrder(refundedEvent({ ...options, eventId: 'evt-orderless' })),
      bytesOf(paidEvent(options)),
    );
    const order = await pipeline.order('orderless');
    const transactions = [{ amount: '100.00' }];
    expect(order).toMatchObject({ status: 'refunded', attention: [], transactions });
    expect(order['events']).toHaveLength(2);
    const event = { outcome: 'applied', order_id: 'orderless' };
    expect(await pipeline.event('evt-orderless')).toMatchObject(event);
    expect(await pipeline.waiting('unassigned')).not.toContain('live:event:evt-orderless');
  });

  fact('payment and refund without an order id, posted at once with others, meet', async (pipeline) => {
    const options = Array.from({ length: 10 }, (_, n) => ({ orderId: `meets-${n}`, seed: `meets ${n}` }));
    const bodies = options.flatMap((one) => [withoutOrder(refundedEvent(one)), bytesOf(paidEvent(one))]);
    await Promise.all(bodies.map((body) => pipeline.post(body)));
    await pipeline.settled();
    for (const { orderId } of options) {
      expect(await pipeline.order(orderId)).toMatchObject({ status: 'refunded', attention: [] });
    }
  });
}

export function conflictFacts(fact: StateFact): void {
  fact('a second body that names another order is kept and counts nowhere', async (pipeline) => {
    const options = { eventId: 'evt-crossed', transactionId: 'txn-crossed' };
    const orderIds = ['crossed-1', 'crossed-2'];
    await record(pipeline, ...orderIds.map((orderId) => bytesOf(paidEvent({ ...options, orderId }))));
    const attention = ['conflicting_event'];
    expect(await pipeline.order('crossed-1')).toMatchObject({ status: 'paid', attention });
    expect(await pipeline.order('crossed-2')).toMatchObject({ status: 'pending', attention });
    expect(await pipeline.event('evt-crossed')).toMatchObject({
      outcome: 'applied',
      order_id: 'crossed-1',
      others: [{ outcome: 'conflict', order_id: 'crossed-2' }],
    });
    expect(await pipeline.waiting('conflict')).toContain('live:event:evt-crossed');
  });

  fact('the same event in other bytes is a duplicate', async (pipeline) => {
    const ids = { orderId: 'variant', transactionId: 'txn-variant' };
    const body = bytesOf(refundedEvent({ ...ids, eventId: 'evt-variant' }));
    await record(pipeline, bytesOf(paidEvent(ids)), body);
    const before = await pipeline.order('variant');
    expect(before).toMatchObject({ status: 'refunded', attention: [] });
    await record(pipeline, reserialised(body));
    expect(await pipeline.order('variant')).toEqual(before);
    expect(await pipeline.event('evt-variant')).toMatchObject({ outcome: 'applied', others: [] });
    expect(await pipeline.waiting('conflict')).not.toContain('live:event:evt-variant');
  });
}

/** Whatever was not applied is in the index of what waits; a normal event is not. */
export function waitingFacts(fact: StateFact): void {
  fact('a refund whose transaction no payment named waits as unassigned', async (pipeline) => {
    await record(pipeline, withoutOrder(refundedEvent({ orderId: '', eventId: 'evt-lost' })));
    expect(await pipeline.event('evt-lost')).toMatchObject({ outcome: 'unassigned', order_id: null });
    expect(await pipeline.waiting('unassigned')).toContain('live:event:evt-lost');
  });

  fact('an event name without a meaning waits once, and its orders stay usable', async (pipeline) => {
    const eventName = 'transaction.settled';
    const orderIds = ['settled-1', 'settled-2'];
    for (const orderId of orderIds) {
      await pipeline.post(bytesOf(paidEvent({ orderId, seed: orderId })));
      await pipeline.post(bytesOf(unknownEvent({ orderId, seed: orderId, eventName })));
    }
    await pipeline.settled();
    const waiting = await pipeline.waiting('event_name');
    expect(waiting.filter((key) => key === `live:name:${eventName}`)).toHaveLength(1);
    for (const orderId of orderIds) {
      const order = await pipeline.order(orderId);
      expect(order).toMatchObject({ status: 'paid', attention: [] });
      expect(order['events']).toHaveLength(2);
    }
  });

  fact(
    'an event that was applied does not wait, and its stored signature proves its body',
    async (pipeline) => {
      const body = bytesOf(paidEvent({ orderId: 'proof', eventId: 'evt-proof' }));
      await record(pipeline, body);
      const [row, ...others] = await pipeline.eventRows('live:event:evt-proof');
      expect([row?.['outcome'], row?.['waiting'], others]).toEqual([{ S: 'applied' }, undefined, []]);
      const expected = createHmac('sha256', privateKey).update(body).digest('hex');
      expect(Buffer.from(row?.['signature']?.B ?? []).toString('hex')).toBe(expected);
    },
  );
}
