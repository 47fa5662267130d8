import { bytesOf, failedEvent, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { reserialised } from './odd-events.ts';
import type { StateFact, View } from './pipeline.ts';

export function conflictFacts(fact: StateFact): void {
  fact('a payment and a failure under one event id end alike, whichever comes first', async (pipeline) => {
    const states: View[] = [];
    for (const arrival of ['first', 'last']) {
      const orderId = `conflict, payment ${arrival}`;
      const ids = { orderId, eventId: `evt ${orderId}`, transactionId: `txn ${orderId}` };
      const options = { ...ids, createdAt: '2026-11-02T09:15:00.000000Z' };
      const bodies = [bytesOf(paidEvent(options)), bytesOf(failedEvent(options))];
      for (const body of arrival === 'first' ? bodies : bodies.toReversed()) {
        await pipeline.post(body);
        await pipeline.settled();
      }
      const { status, attention, transactions } = await pipeline.order(orderId);
      const withoutIds = (transactions as readonly View[]).map(({ id: _, ...rest }) => rest);
      states.push({ status, attention, transactions: withoutIds });
    }
    expect(states[1]).toEqual(states[0]);
    expect(states[0]).toMatchObject({
      status: 'paid',
      attention: ['conflicting_event'],
      transactions: [{ status: 'paid', amount: '100.00' }],
    });
  });

  fact('a second body that names another order is kept and counts nowhere', async (pipeline) => {
    const options = { eventId: 'evt-crossed', transactionId: 'txn-crossed' };
    for (const orderId of ['crossed-1', 'crossed-2']) {
      await pipeline.post(bytesOf(paidEvent({ ...options, orderId })));
      await pipeline.settled();
    }
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
    const body = bytesOf(refundedEvent({ orderId: 'variant', eventId: 'evt-variant' }));
    await pipeline.post(bytesOf(paidEvent({ orderId: 'variant', transactionId: transactionOf(body) })));
    await pipeline.post(body);
    await pipeline.settled();
    const before = await pipeline.order('variant');
    expect(before).toMatchObject({ status: 'refunded', attention: [] });
    await pipeline.post(reserialised(body));
    await pipeline.settled();
    expect(await pipeline.order('variant')).toEqual(before);
    expect(await pipeline.event('evt-variant')).toMatchObject({ outcome: 'applied', others: [] });
    expect(await pipeline.waiting('conflict')).not.toContain('live:event:evt-variant');
  });
}

const transactionOf = (body: Uint8Array): string =>
  JSON.parse(Buffer.from(body).toString()).payload.transaction.id;
