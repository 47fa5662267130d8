import { bytesOf, failedEvent, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { reserialised } from './odd-events.ts';
import type { AcceptanceTarget, StateFact, View } from './pipeline.ts';

export function conflictFacts(fact: StateFact): void {
  const pairs = [
    ['a payment and a failure', paidEvent, failedEvent, {}, 'paid'],
    ['two amounts', paidEvent, paidEvent, { amount: '1.00' }, 'paid'],
  ] as const;
  for (const [name, first, second, changed, status] of pairs) {
    fact(`${name} under one event id end alike, whichever comes first`, async (pipeline) => {
      const states = await inBothOrders(
        pipeline,
        (orderId) => {
          const options = {
            orderId,
            eventId: `evt ${orderId}`,
            transactionId: `txn ${orderId}`,
            createdAt: '2026-11-02T09:15:00.000000Z',
          };
          return [bytesOf(first(options)), bytesOf(second({ ...options, ...changed }))];
        },
        name,
      );
      expect(states[1]).toEqual(states[0]);
      expect(states[0]).toMatchObject({
        status,
        attention: ['conflicting_event'],
        transactions: [{ status, amount: '100.00' }],
      });
    });
  }

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

/** What an order shows of two bodies: once in the given order of arrival, once in the other, in another order. */
async function inBothOrders(
  pipeline: AcceptanceTarget,
  bodiesOf: (orderId: string) => readonly Uint8Array[],
  name: string,
) {
  const states: object[] = [];
  for (const arrival of ['first', 'last'] as const) {
    const orderId = `${name} ${arrival}`;
    const bodies = bodiesOf(orderId);
    for (const body of arrival === 'first' ? bodies : bodies.toReversed()) {
      await pipeline.post(body);
      await pipeline.settled();
    }
    const { status, attention, transactions } = await pipeline.order(orderId);
    const withoutIds = (transactions as readonly View[]).map(({ id: _, ...rest }) => rest);
    states.push({ status, attention, transactions: withoutIds });
  }
  return states;
}
