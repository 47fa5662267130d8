import { createHmac } from 'node:crypto';
import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { withoutOrder } from './odd-events.ts';
import { privateKey, type StateFact } from './pipeline.ts';

/** Whatever was not applied is in the index of what waits; a normal event is not. */
export function waitingFacts(fact: StateFact): void {
  fact('a refund whose transaction no payment named waits as unassigned', async (pipeline) => {
    await pipeline.post(withoutOrder(refundedEvent({ orderId: '', eventId: 'evt-lost' })));
    await pipeline.settled();
    expect(await pipeline.event('evt-lost')).toMatchObject({ outcome: 'unassigned', order_id: null });
    expect(await pipeline.waiting('unassigned')).toContain('live:event:evt-lost');
  });

  fact('an event whose order id is too long is quarantined, and waits', async (pipeline) => {
    await pipeline.post(bytesOf(paidEvent({ orderId: 'x'.repeat(1_025), eventId: 'evt-long' })));
    await pipeline.settled();
    const event = { outcome: 'quarantined', reason: 'order_id_invalid' };
    expect(await pipeline.event('evt-long')).toMatchObject(event);
    expect(await pipeline.waiting('quarantined')).toContain('live:event:evt-long');
  });

  fact('an event name without a meaning waits once, and its orders stay usable', async (pipeline) => {
    const eventName = 'transaction.settled';
    for (const orderId of ['settled-1', 'settled-2']) {
      await pipeline.post(bytesOf(paidEvent({ orderId, seed: orderId })));
      await pipeline.post(bytesOf(unknownEvent({ orderId, seed: orderId, eventName })));
    }
    await pipeline.settled();
    const waiting = await pipeline.waiting('event_name');
    expect(waiting.filter((key) => key === `live:name:${eventName}`)).toHaveLength(1);
    for (const orderId of ['settled-1', 'settled-2']) {
      const order = await pipeline.order(orderId);
      expect(order).toMatchObject({ status: 'paid', attention: [] });
      expect(order['events']).toHaveLength(2);
    }
  });

  fact(
    'an event that was applied does not wait, and its stored signature proves its body',
    async (pipeline) => {
      const body = bytesOf(paidEvent({ orderId: 'proof', eventId: 'evt-proof' }));
      await pipeline.post(body);
      await pipeline.settled();
      const [row, ...others] = await pipeline.eventRows('live:event:evt-proof');
      expect([row?.['outcome'], row?.['waiting'], others]).toEqual([{ S: 'applied' }, undefined, []]);
      const expected = createHmac('sha256', privateKey).update(body).digest('hex');
      expect(Buffer.from(row?.['signature']?.B ?? []).toString('hex')).toBe(expected);
    },
  );
}
