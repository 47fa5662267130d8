import type { VerifyResult } from '@payhooks/order-client';
import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { levelKinds } from '../../lambdas/contract/metrics.ts';
import { eventually, record, type StateFact } from './pipeline.ts';

const reason = 'acceptance';

/** What the routes of the operations API show and do. */
export function operatorFacts(fact: StateFact): void {
  fact(
    'an operator admits a refund to an order, and sees before what that does to its money',
    async (pipeline) => {
      const { operations } = pipeline;
      const ids = { orderId: '', transactionId: 'txn-admitted', eventId: 'evt-admitted' };
      await record(
        pipeline,
        bytesOf(paidEvent({ orderId: 'admitted', transactionId: 'txn-of-admitted' })),
        bytesOf(refundedEvent(ids)),
      );
      const { events } = await operations.waiting({ kind: 'unassigned', transaction_id: 'txn-admitted' });
      expect(events).toMatchObject([{ event_id: 'evt-admitted', order_id: null }]);
      const subject = { event_id: 'evt-admitted', order_id: 'admitted' };
      const predicted = await operations.admit({ ...subject, dry_run: true });
      expect(predicted.orders).toMatchObject([
        { before: { status: 'paid', attention: [] }, after: { attention: ['refund_without_payment'] } },
      ]);
      expect(await pipeline.order('admitted')).toMatchObject({ status: 'paid', attention: [] });
      const done = await operations.admit({ ...subject, reason });
      expect(done.orders).toEqual(predicted.orders);
      expect(await pipeline.order('admitted')).toMatchObject({ attention: ['refund_without_payment'] });
      expect(await operations.admit({ ...subject, reason })).toMatchObject({ changed: false });
      expect((await operations.event('evt-admitted')).acts).toMatchObject([{ act: 'admit', reason }]);
    },
  );

  fact('an operator dismisses a conflict and resolves what it left on the order', async (pipeline) => {
    const { operations } = pipeline;
    const one = { orderId: 'dismissed', transactionId: 'txn-dismissed', eventId: 'evt-dismissed' };
    await record(pipeline, ...['5.00', '7.00'].map((amount) => bytesOf(paidEvent({ ...one, amount }))));
    const { records } = await operations.bodies('evt-dismissed');
    expect(records.map(({ record: kind, counts }) => [kind, counts])).toEqual([
      ['event', false],
      ['conflict', true],
    ]);
    expect(await operations.dismiss({ event_id: 'evt-dismissed', reason })).toMatchObject({ changed: true });
    expect((await operations.waiting({ kind: 'conflict', order_id: 'dismissed' })).events).toEqual([]);
    const { sequence, attention } = await pipeline.order('dismissed');
    expect(attention).toEqual(['conflicting_event']);
    await operations.resolve({ order_id: 'dismissed', sequence: Number(sequence), reason });
    expect(await pipeline.order('dismissed')).toMatchObject({ attention: [] });
    await record(pipeline, bytesOf(paidEvent({ ...one, eventId: 'evt-later', transactionId: 'txn-later' })));
    expect((await pipeline.order('dismissed'))['attention']).toContain('conflicting_event');
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

  fact('an operator takes an event name off the list of what waits', async (pipeline) => {
    const { operations } = pipeline;
    const subject = { event_name: 'transaction.renamed' };
    const event = { orderId: 'renamed', eventName: subject.event_name };
    await record(pipeline, bytesOf(unknownEvent(event)));
    const names = async () =>
      (await operations.waiting({ kind: 'event_name' })).events.map(({ event_name }) => event_name);
    expect(await names()).toContain('transaction.renamed');
    await operations.dismiss({ ...subject, reason });
    expect(await names()).not.toContain('transaction.renamed');
  });

  fact(
    'a replay changes nothing in order, and with publish it gives the order a new sequence each time',
    async (pipeline) => {
      const ids = { orderId: 'published', seed: 'published' };
      await record(pipeline, bytesOf(paidEvent(ids)), bytesOf(refundedEvent(ids)));
      const before = await pipeline.order('published');
      const unchanged = { changed: false, replayed: 2, orders: [], next_cursor: null };
      expect(await pipeline.operations.replay({ order_id: 'published', reason })).toMatchObject(unchanged);
      const request = { order_id: 'published', publish: true, reason };
      const predicted = await pipeline.operations.replay({ ...request, dry_run: true });
      expect(await pipeline.order('published')).toEqual(before);
      const result = await pipeline.operations.replay(request);
      expect(result.orders).toEqual(predicted.orders);
      expect(result.orders).toMatchObject([
        { order_id: 'published', before: { sequence: 2 }, after: { sequence: 3, status: before['status'] } },
      ]);
      expect(await pipeline.operations.replay(request)).toMatchObject({
        changed: true,
        orders: [{ after: { sequence: 4, status: before['status'] } }],
      });
    },
  );

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
