import { bytesOf, disputedEvent, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { withoutOrder } from './odd-events.ts';
import type { AcceptanceTarget, StateFact } from './pipeline.ts';

/** Money that an order shows although nothing names its order, and money that a person must look at. */
export function moneyFacts(fact: StateFact): void {
  orderlessFacts(fact);

  fact('an order with a dispute, and refunded twice in full, is marked', async (pipeline) => {
    const one = { orderId: 'doubtful', seed: 'doubtful' };
    const events = [paidEvent(one), disputedEvent(one), refundedEvent(one)];
    const again = refundedEvent({ ...one, eventId: 'again doubtful' });
    await Promise.all([...events, again].map((event) => pipeline.post(bytesOf(event))));
    await pipeline.settled();
    const attention = ['refund_exceeds_payment', 'disputed'];
    expect(await pipeline.order('doubtful')).toMatchObject({ status: 'refunded', attention });
  });
}

async function postEach(pipeline: AcceptanceTarget, bodies: readonly Uint8Array[]): Promise<void> {
  for (const body of bodies) {
    expect(await pipeline.post(body)).toMatchObject({ status: 202 });
    await pipeline.settled();
  }
}

function orderlessFacts(fact: StateFact): void {
  fact('a refund without an order id that comes before its payment reaches its order', async (pipeline) => {
    const options = { orderId: 'orderless', seed: 'orderless' };
    await postEach(pipeline, [
      withoutOrder(refundedEvent({ ...options, eventId: 'evt-orderless' })),
      bytesOf(paidEvent(options)),
    ]);
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

  fact('a refund without an order id reaches every order of its transaction', async (pipeline) => {
    const options = { transactionId: 'txn-of-two' };
    await postEach(pipeline, [
      bytesOf(paidEvent({ ...options, orderId: 'two-1' })),
      withoutOrder(refundedEvent({ ...options, orderId: '' })),
      bytesOf(paidEvent({ ...options, orderId: 'two-2' })),
    ]);
    for (const orderId of ['two-1', 'two-2']) {
      const order = await pipeline.order(orderId);
      expect(order).toMatchObject({ status: 'refunded', attention: ['transaction_in_two_orders'] });
    }
  });
}
