import { describe, expect, it } from 'vitest';
import { eightFacts, eightMessages } from './doubles/eight-events.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { deliverInEveryOrder } from './doubles/every-order.ts';
import { fact } from './doubles/facts.ts';
import { fold } from './doubles/fold.ts';
import type { SentBody } from './doubles/sqs-event.ts';

const sent = (fields: EventFields, n: number): SentBody => ({ body: eventBody(fields), messageId: `m${n}` });

describe('consumeBatch', () => {
  it.each([undefined, 30])(
    'ends in the same rows and facts for all 40,320 orders of eight events (bodies kept for %j days)',
    async (eventRetentionDays) => {
      const ends = await deliverInEveryOrder({
        messages: eightMessages,
        batchSizeMax: 1,
        eventRetentionDays,
      });
      expect(ends.map(({ ways }) => ways)).toEqual([40_320]);
      const { orders, events } = ends[0]?.stores ?? {};
      expect([...(orders?.keys() ?? [])]).toEqual(['live:order:A']);
      const facts = [...(orders?.get('live:order:A')?.facts ?? [])].sort();
      expect(facts).toEqual(eightFacts);
      expect(fold(facts)).toMatchObject({
        status: 'partially_refunded',
        attention: ['multiple_paid_transactions', 'disputed'],
      });
      const outcomes = [...(events?.values() ?? [])].map(({ eventId, outcome }) => `${eventId} ${outcome}`);
      const ids = ['d1', 'f1', 'n1', 'p1', 'p2', 'r1', 'r2', 'r3'];
      expect(outcomes.sort()).toEqual(ids.map((id) => `${id} applied`));
    },
  );

  it('ends in the same orders whichever body of an event id came first, in all 4,683 ways', async () => {
    const messages = [
      { id: 'v', order: 'A' },
      { id: 'v', order: 'A', attempt: 2 },
      { id: 'c', order: 'A', transaction: 'U' },
      { id: 'c', order: 'A', transaction: 'U', amount: '7.00' },
      { id: 's', order: 'B' },
      { id: 'r', action: 'refunded', amount: '5.00' },
    ].map(sent);
    const ends = await deliverInEveryOrder({ messages, batchSizeMax: 6 });
    // One end for each body that can be the first of its id.
    expect(ends).toHaveLength(4);
    expect(ends.reduce((sum, { ways }) => sum + ways, 0)).toBe(4_683);
    const refund = fact('r', 'refunded', { amount: '5.00' });
    const U = { transactionId: 'U' };
    const inA = [fact('v', 'paid'), fact('c', 'paid', U), fact('c', 'paid', { ...U, amount: '7.00' })];
    for (const { stores } of ends) {
      const facts = [...stores.orders].map(([key, row]) => [key, [...row.facts].sort()]);
      expect(Object.fromEntries(facts)).toEqual({
        'live:order:A': [...inA, refund, '["shared.1","T"]'].sort(),
        'live:order:B': [fact('s', 'paid'), refund, '["shared.1","T"]'].sort(),
      });
    }
  });
});

describe('deliverInEveryOrder', () => {
  it('finds the orders that lose a fact when a payment does not see the refunds that wait for it', async () => {
    const ends = await deliverInEveryOrder({
      messages: eightMessages,
      batchSizeMax: 1,
      through: (writer) => ({
        ...writer,
        join: async (joining) => ({ ...(await writer.join(joining)), facts: [] }),
      }),
    });
    expect(ends.length).toBeGreaterThan(1);
  });
});
