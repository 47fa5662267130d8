import { createHash, createHmac } from 'node:crypto';
import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
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

  fact('an event that was applied does not wait', async (pipeline) => {
    await pipeline.post(bytesOf(paidEvent({ orderId: 'normal', eventId: 'evt-normal' })));
    await pipeline.settled();
    const [row, ...others] = await pipeline.eventRows('live:event:evt-normal');
    expect([row?.['outcome'], row?.['waiting'], others]).toEqual([{ S: 'applied' }, undefined, []]);
  });

  const quarantined = [
    [
      'sandbox_flag_disagrees',
      (id: string) => bytesOf(paidEvent({ orderId: 'q', eventId: id, sandbox: true })),
    ],
    ['order_id_invalid', (id: string) => bytesOf(paidEvent({ orderId: 'x'.repeat(1_025), eventId: id }))],
    [
      'transaction_id_invalid',
      (id: string) => bytesOf(paidEvent({ orderId: 'q', eventId: id, transactionId: 'x'.repeat(257) })),
    ],
  ] as const;
  for (const [reason, bodyOf] of quarantined) {
    fact(`an event quarantined for ${reason} waits`, async (pipeline) => {
      const id = `evt ${reason}`;
      await pipeline.post(bodyOf(id));
      await pipeline.settled();
      expect(await pipeline.event(id)).toMatchObject({ outcome: 'quarantined', reason });
      expect(await pipeline.waiting('quarantined')).toContain(`live:event:${id}`);
    });
  }

  fact('a signed body that is no event waits', async (pipeline) => {
    const body = Buffer.from('{"waits":true}');
    await pipeline.post(body);
    await pipeline.settled();
    const key = `live:body:${createHash('sha256').update(body).digest('hex')}`;
    expect(await pipeline.waiting('unrecognised')).toContain(key);
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

  fact('an event that its full order refuses waits, and the order is marked', async (pipeline) => {
    // Facts of 1,587 bytes each, of the 400 KB of a row.
    const [events, text] = [280, '-'.repeat(256)];
    const bodies = Array.from({ length: events }, (_, n) => {
      const eventId = `full-${n}-`.padEnd(512, '-');
      const long = { transactionId: text, amount: text, currency: text, createdAt: text };
      return bytesOf(failedEvent({ orderId: 'full', eventId, ...long }));
    });
    await Promise.all(bodies.map((body) => pipeline.post(body)));
    await pipeline.settled();
    const order = await pipeline.order('full');
    expect(order['attention']).toContain('too_many_events');
    const refused = await pipeline.waiting('order_refused');
    expect(refused.length).toBeGreaterThan(0);
    expect((order['events'] as unknown[]).length + refused.length).toBe(events);
    expect(await pipeline.deadLetters()).toBe(0);
  });

  fact('the signature that is stored with an event proves its body', async (pipeline) => {
    const body = bytesOf(paidEvent({ orderId: 'proof', eventId: 'evt-proof' }));
    await pipeline.post(body);
    await pipeline.settled();
    const [row] = await pipeline.eventRows('live:event:evt-proof');
    const expected = createHmac('sha256', privateKey).update(body).digest('hex');
    expect(Buffer.from((row?.['s'] ?? row?.['signature'])?.B ?? []).toString('hex')).toBe(expected);
  });
}
