import type { VerifyResult } from '@payhooks/order-client';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { levelKinds } from '../../lambdas/contract/metrics.ts';
import { eventually, record, type StateFact } from './pipeline.ts';

const reason = 'acceptance';

/** What the routes of the operations API show and do. */
export function operatorFacts(fact: StateFact): void {
  fact('an operator admits a refund to an order, and sees before what that does to it', async (pipeline) => {
    const { operations } = pipeline;
    const ids = { orderId: '', transactionId: 'txn-admitted', eventId: 'evt-admitted' };
    const payment = paidEvent({ orderId: 'admitted', transactionId: 'txn-of-admitted' });
    await record(pipeline, bytesOf(payment), bytesOf(refundedEvent(ids)));
    const { events } = await operations.waiting({ kind: 'unassigned', transaction_id: 'txn-admitted' });
    expect(events).toMatchObject([{ event_id: 'evt-admitted', order_id: null }]);
    const subject = { event_id: 'evt-admitted', order_id: 'admitted' };
    const predicted = await operations.admit({ ...subject, dry_run: true });
    expect(await pipeline.order('admitted')).toMatchObject({ status: 'paid', attention: [] });
    expect((await operations.admit({ ...subject, reason })).orders).toEqual(predicted.orders);
    expect(await pipeline.order('admitted')).toMatchObject({ attention: ['refund_without_payment'] });
    expect((await operations.event('evt-admitted')).acts).toMatchObject([{ act: 'admit', reason }]);
  });

  fact('an operator dismisses a conflict, and nothing waits', async (pipeline) => {
    const { operations } = pipeline;
    const ids = { orderId: 'dismissed', transactionId: 'txn-dismissed', eventId: 'evt-dismissed' };
    await record(pipeline, ...['5.00', '7.00'].map((amount) => bytesOf(paidEvent({ ...ids, amount }))));
    const waiting = async () =>
      (await operations.waiting({ kind: 'conflict', order_id: 'dismissed' })).events.length;
    expect(await waiting()).toBe(1);
    await operations.dismiss({ event_id: 'evt-dismissed', reason });
    expect(await waiting()).toBe(0);
    const { events } = await operations.received({ order_id: 'dismissed' });
    expect(events.map(({ amount, waiting: kind }) => [amount, kind])).toEqual([
      ['7.00', null],
      ['5.00', null],
    ]);
  });

  fact('an order that was paid twice waits for a person until an operator resolves it', async (pipeline) => {
    const { operations } = pipeline;
    const order_id = 'paid-twice';
    const payments = ['txn-first', 'txn-second'].map((transactionId) =>
      bytesOf(paidEvent({ orderId: order_id, transactionId, eventId: `evt-of-${transactionId}` })),
    );
    await record(pipeline, ...payments);
    const isListed = async () => (await operations.waiting({ kind: 'attention', order_id })).events.length;
    await eventually(isListed, (count) => count === 1);
    const { sequence } = await pipeline.order(order_id);
    await operations.resolve({ order_id, sequence: Number(sequence), reason });
    await eventually(isListed, (count) => count === 0);
  });

  fact('a replay that publishes gives the order a new sequence, and nothing else', async (pipeline) => {
    const order_id = 'published';
    await record(pipeline, bytesOf(paidEvent({ orderId: order_id })));
    const before = await pipeline.order(order_id);
    const { orders } = await pipeline.operations.replay({ order_id, publish: true, reason });
    expect(orders).toMatchObject([{ order_id, before: { sequence: 1 }, after: { sequence: 2 } }]);
    const { updated_at } = await pipeline.order(order_id, ({ sequence }) => sequence === 2);
    expect(await pipeline.order(order_id)).toEqual({ ...before, sequence: 2, updated_at });
  });

  fact(
    'an erased body is gone, its order stays, and a redelivery does not bring it back',
    async (pipeline) => {
      const { operations } = pipeline;
      const body = bytesOf(paidEvent({ orderId: 'erased', eventId: 'evt-erased' }));
      await record(pipeline, body);
      expect(await operations.erase({ event_id: 'evt-erased', reason })).toMatchObject({ changed: true });
      await record(pipeline, body);
      const { records } = await operations.bodies('evt-erased');
      expect(records).toMatchObject([{ has_body: false, body_base64: null, erased: { reason } }]);
      expect(await pipeline.order('erased')).toMatchObject({ status: 'paid', attention: [] });
    },
  );

  fact('every order equals the fold of its events', async (pipeline) => {
    const { operations } = pipeline;
    const ids = { orderId: 'verified', transactionId: 'txn-verified' };
    await record(pipeline, bytesOf(paidEvent(ids)), bytesOf(refundedEvent(ids)));
    const pages: VerifyResult[] = [];
    let cursor: string | null = null;
    do {
      const page: VerifyResult = await operations.verify(cursor === null ? {} : { cursor });
      pages.push(page);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages.flatMap(({ differences }) => differences)).toEqual([]);
    expect(pages.reduce((sum, { compared }) => sum + compared.events, 0)).toBeGreaterThan(1);
  });

  fact('the use of each key, and how much waits, are shown', async (pipeline) => {
    const { keys } = await pipeline.operations.keys();
    expect(keys.map(({ mode }) => mode)).toContain('live');
    const { counts } = await pipeline.operations.waitingCounts();
    // In each mode.
    expect(counts).toHaveLength(2 * levelKinds.length);
  });
}
