import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventFact } from '../lambdas/domain/fact.ts';
import { parsePaymentEvent } from '../lambdas/domain/payment-event.ts';
import { consumerOver } from './doubles/consumer.ts';
import { fold } from './doubles/fold.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { type SentBody, sqsEvent } from './doubles/sqs-event.ts';

const makers = [paidEvent, refundedEvent, unknownEvent];
const bodies = makers.flatMap((make, kind) =>
  ['one', 'two'].map((seed) => bytesOf(make({ seed, orderId: 'order-1', eventId: `evt-${kind}-${seed}` }))),
);
const expected = fold(
  bodies.map((body) => {
    const parsed = parsePaymentEvent(body);
    if (!parsed.ok) throw new Error(parsed.reason);
    return eventFact(parsed.event);
  }),
);

/** Delivers at least once, like SQS: a record that a batch returns is delivered again later. */
async function deliver(deliveries: readonly SentBody[], batchSize: number, faults: readonly boolean[]) {
  const remaining = [...faults];
  const stores = memoryStores(() => {
    if (remaining.shift() === true) throw new Error('fault');
  });
  const consumeBatch = consumerOver(stores);
  let queue = [...deliveries];
  // Ends when the faults are used up.
  for (let round = 0; queue.length > 0 && round < 1_000; round += 1) {
    const batch = queue.splice(0, batchSize);
    const { batchItemFailures } = await consumeBatch(sqsEvent(...batch));
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    queue = [...queue, ...batch.filter(({ messageId }) => failed.has(messageId ?? ''))];
  }
  return { ...stores, undelivered: queue.length };
}

describe('consumeBatch', () => {
  it('ends in one state for any order, duplicates, batches, lost writes and lost responses', async () => {
    const deliveries = fc
      .shuffledSubarray([...bodies, ...bodies, ...bodies], { minLength: bodies.length * 3 })
      .map((sent) => sent.map((body, index) => ({ body, messageId: `m${index}` })));
    const property = fc.asyncProperty(
      deliveries,
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.boolean(), { maxLength: 60 }),
      async (sent, batchSize, faults) => {
        const { orders, events, undelivered } = await deliver(sent, batchSize, faults);
        expect(undelivered).toBe(0);
        expect(events.size).toBe(6);
        const order = orders.get('live:order:order-1');
        expect(fold(order?.facts ?? [])).toEqual(expected);
        expect(order?.status).toBe(expected.status);
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });
});
