import {
  bytesOf,
  disputedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { withoutOrder, withTransaction } from './odd-events.ts';
import type { AcceptanceTarget, StateFact } from './pipeline.ts';

/** Money that an order shows although nothing names its order, and money that a person must look at. */
export function moneyFacts(fact: StateFact): void {
  stateFacts(fact);
  orderlessFacts(fact);
  amountFacts(fact);

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
    ['with its order id null', null, ['payment', 'refund']],
    ['with its order id empty', '', ['refund', 'payment']],
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

function amountFacts(fact: StateFact): void {
  const unreadable = ['-5', 'NaN', '1e2', '', null, undefined, '0', '1,000.00', ' 100 ', true, ['100.00']];
  fact('a payment whose amount is no positive decimal needs a person', async (pipeline) => {
    const bodies = unreadable.map((amount, n) =>
      withTransaction(paidEvent({ orderId: `unreadable-${n}` }), { amount }),
    );
    await Promise.all(bodies.map((body) => pipeline.post(body)));
    await pipeline.settled();
    for (const n of unreadable.keys()) {
      const order = await pipeline.order(`unreadable-${n}`);
      expect(order).toMatchObject({ status: 'paid', attention: ['payment_amount_unreadable'] });
    }
  });
}

function stateFacts(fact: StateFact): void {
  const one = (orderId: string): SampleOptions => ({ orderId, seed: orderId });
  const other = (orderId: string): SampleOptions => ({ orderId, seed: `other ${orderId}` });
  const again = (orderId: string): SampleOptions => ({ ...one(orderId), eventId: `again ${orderId}` });
  const chargedBack = (options: SampleOptions) =>
    unknownEvent({ ...options, eventName: 'transaction.charged_back' });
  const cases = [
    ['with a dispute', 'paid', ['disputed'], (id) => [paidEvent(one(id)), disputedEvent(one(id))]],
    ['with a chargeback', 'paid', ['disputed'], (id) => [paidEvent(one(id)), chargedBack(one(id))]],
    [
      'refunded in full twice',
      'refunded',
      ['refund_exceeds_payment'],
      (id) => [paidEvent(one(id)), refundedEvent(one(id)), refundedEvent(again(id))],
    ],
    [
      'with refunds of 100.00 and 500.00 on 100.00',
      'refunded',
      ['refund_exceeds_payment'],
      (id) => [paidEvent(one(id)), refundedEvent(one(id)), refundedEvent({ ...again(id), amount: '500.00' })],
    ],
    [
      'with two payments, one of them refunded in full,',
      'paid',
      [],
      (id) => [paidEvent(one(id)), paidEvent(other(id)), refundedEvent(other(id))],
    ],
  ] as const satisfies readonly [string, string, readonly string[], (id: string) => readonly SampleEvent[]][];
  for (const [name, status, attention, events] of cases) {
    fact(`an order ${name} is ${status}, attention: ${attention.join() || 'none'}`, async (pipeline) => {
      await Promise.all(events(name).map((event) => pipeline.post(bytesOf(event))));
      await pipeline.settled();
      expect(await pipeline.order(name)).toMatchObject({ status, attention });
    });
  }
}
