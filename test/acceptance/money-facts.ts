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

  fact('a transaction that was paid in two orders is marked in both', async (pipeline) => {
    for (const orderId of ['shared-1', 'shared-2']) {
      await pipeline.post(bytesOf(paidEvent({ orderId, transactionId: 'txn-shared' })));
      await pipeline.settled();
    }
    for (const orderId of ['shared-1', 'shared-2']) {
      const order = await pipeline.order(orderId);
      expect(order).toMatchObject({ status: 'paid', attention: ['transaction_in_two_orders'] });
    }
  });
}

async function postEach(pipeline: AcceptanceTarget, bodies: readonly Uint8Array[]): Promise<void> {
  for (const body of bodies) {
    expect(await pipeline.post(body)).toMatchObject({ status: 202 });
    await pipeline.settled();
  }
}

function orderlessFacts(fact: StateFact): void {
  const sequences = [
    ['after its payment', undefined, ['payment', 'refund']],
    ['before its payment', undefined, ['refund', 'payment']],
    ['with an order id that is empty', '', ['refund', 'payment']],
  ] as const;
  for (const [name, orderId, sequence] of sequences) {
    fact(`a refund without an order id reaches its order, ${name}`, async (pipeline) => {
      const options = { orderId: `orderless ${name}`, seed: name };
      const refundId = `refund ${name}`;
      const bodies = {
        payment: bytesOf(paidEvent(options)),
        refund: withoutOrder(refundedEvent({ ...options, eventId: refundId }), orderId),
      };
      await postEach(
        pipeline,
        sequence.map((one) => bodies[one]),
      );
      const order = await pipeline.order(options.orderId);
      expect(order).toMatchObject({
        status: 'refunded',
        attention: [],
        transactions: [{ amount: '100.00' }],
      });
      expect(order['events']).toHaveLength(2);
      const event = await pipeline.event(refundId);
      expect(event).toMatchObject({ outcome: 'applied', order_id: options.orderId });
      expect(await pipeline.waiting('unassigned')).not.toContain(`live:event:${refundId}`);
    });
  }

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
