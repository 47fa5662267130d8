import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import type { StateFact } from './pipeline.ts';

const reason = 'acceptance';

/** Stored events can be handled again. */
export function replayFacts(fact: StateFact): void {
  fact(
    'a replay with publish gives the order a new sequence each time, as its dry run shows',
    async (pipeline) => {
      await pipeline.post(bytesOf(paidEvent({ orderId: 'published', eventId: 'evt-published' })));
      await pipeline.post(bytesOf(refundedEvent({ orderId: 'published', eventId: 'evt-published-2' })));
      await pipeline.settled();
      const before = await pipeline.order('published');
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
}
