import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import type { AcceptanceTarget, StateFact, View } from './pipeline.ts';

/** The pages of a comparison; `reason` belongs to acts only. */
async function differences(pipeline: AcceptanceTarget): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  let page: View = {};
  do {
    const cursor = page['next_cursor'];
    const response = await pipeline.act('verify', { reason: undefined, ...(cursor ? { cursor } : {}) });
    expect(response.status).toBe(200);
    page = response.json;
    found.push(...(page['differences'] as unknown[]));
  } while (page['next_cursor'] !== null);
  return found;
}

/** Stored events can be handled again, and every order equals the fold of its events. */
export function replayFacts(fact: StateFact): void {
  fact('a replay changes nothing that is right, neither in a dry run nor in the run', async (pipeline) => {
    await pipeline.post(bytesOf(paidEvent({ orderId: 'replayed', eventId: 'evt-replayed' })));
    await pipeline.settled();
    const before = await pipeline.order('replayed');
    for (const subject of [{ event_id: 'evt-replayed' }, { order_id: 'replayed' }]) {
      for (const dry_run of [true, false]) {
        const { status, json } = await pipeline.act('replay', { ...subject, dry_run });
        expect([status, json['changed'], json['replayed'], json['orders']]).toEqual([200, false, 1, []]);
      }
    }
    expect(await pipeline.order('replayed')).toEqual(before);
  });

  fact('a replay with publish shows in its dry run that it changes only the history', async (pipeline) => {
    await pipeline.post(bytesOf(paidEvent({ orderId: 'published', eventId: 'evt-published' })));
    await pipeline.post(bytesOf(refundedEvent({ orderId: 'published', eventId: 'evt-published-2' })));
    await pipeline.settled();
    const before = await pipeline.order('published');
    const request = { order_id: 'published', publish: true };
    const predicted = await pipeline.act('replay', { ...request, dry_run: true });
    expect(await pipeline.order('published')).toEqual(before);
    const result = await pipeline.act('replay', request);
    expect(result.json['orders']).toEqual(predicted.json['orders']);
    expect(result.json['orders']).toMatchObject([
      { order_id: 'published', before: { sequence: 2 }, after: { sequence: 3, status: before['status'] } },
    ]);
    expect((await pipeline.act('replay', request)).json).toMatchObject({ changed: false });
  });

  fact('every order equals the fold of its events', async (pipeline) => {
    await pipeline.post(bytesOf(paidEvent({ orderId: 'compared', eventId: 'evt-compared' })));
    await pipeline.settled();
    expect(await differences(pipeline)).toEqual([]);
  });
}
