import { describe, expect, it } from 'vitest';
import type { Judgement } from '../lambdas/ports/decisions.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { setUpConsumer } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import type { memoryStores } from './doubles/memory-stores.ts';
import type { SentBody } from './doubles/sqs-event.ts';

const body = (fields: EventFields): SentBody => ({ body: eventBody(fields), messageId: fields.id });
const dismissed: Judgement = {
  verdict: 'dismissed',
  by: 'arn:aws:iam::1:user/ann',
  at: '2026-11-22T05:00:00.000Z',
  reason: 'a test of the payment service',
};
const refund = body({ id: 'r', action: 'refunded' });

/** As a dismissal does. */
function dismiss({ events }: Pick<ReturnType<typeof memoryStores>, 'events'>, at: string): void {
  const { waiting, ...row } = events.get(at) as EventRow;
  expect(waiting).toBeDefined();
  events.set(at, { ...row, judged: dismissed });
}

/** Everything that is stored. */
const stateOf = ({ events, orders, transactions }: ReturnType<typeof memoryStores>) =>
  structuredClone({ events, orders, transactions });

describe.each([undefined, 30])('with bodies that are kept for %j days, a dismissed', (eventRetentionDays) => {
  const setUp = (room = {}) => setUpConsumer({ room, parts: { eventRetentionDays } });

  it.each<[string, SentBody[]]>([
    ['quarantined body', [{ body: eventBody({ id: 'q', order: 'A' }), mode: 'sandbox' }]],
    ['conflict over one order', [body({ id: 'e', order: 'A' }), body({ id: 'e', order: 'A', amount: '7' })]],
    ['conflict over two orders', [body({ id: 'e', order: 'A' }), body({ id: 'e', order: 'B' })]],
    ['unrecognised body', [{ body: Buffer.from('junk') }]],
    ['event without an order', [refund]],
  ])('%s that is delivered again does not wait again, and changes nothing', async (_, sent) => {
    const consumer = setUp();
    await consumer.consume(...sent.slice(0, 1));
    await consumer.consume(...sent);
    for (const [at, { waiting }] of consumer.events) if (waiting) dismiss(consumer, at);
    const before = stateOf(consumer);
    expect(await consumer.consume(...sent, ...sent)).toEqual([]);
    expect(stateOf(consumer)).toEqual(before);
    expect(consumer.waiting()).toEqual([]);
  });

  it('refund without an order is in its order once its payment arrives', async () => {
    const consumer = setUp();
    await consumer.consume(refund);
    dismiss(consumer, 'live:event:r event');
    await consumer.consume(body({ id: 'p', order: 'A' }));
    expect(consumer.statuses()).toEqual([['live:order:A', 'refunded']]);
    expect(consumer.events.get('live:event:r event')).toMatchObject({
      outcome: 'applied',
      assignedOrderId: 'A',
      judged: dismissed,
    });
    expect(consumer.waiting()).toEqual([]);
  });

  it('refund waits again when the order of its payment is full, and no longer counts as judged', async () => {
    const consumer = setUp({ orderBytesMax: Buffer.byteLength(fact('p', 'paid')) + 60 });
    await consumer.consume(refund);
    dismiss(consumer, 'live:event:r event');
    await consumer.consume(body({ id: 'p', order: 'A' }));
    expect(consumer.waiting()).toEqual([['live:event:r', 'order_refused']]);
    expect(consumer.events.get('live:event:r event')).not.toHaveProperty('judged');
  });

  it('event that a full order refused stays dismissed when it or its payment is delivered again', async () => {
    const consumer = setUp({ orderBytesMax: Buffer.byteLength(fact('p', 'paid')) + 60 });
    const payment = body({ id: 'p', order: 'A' });
    await consumer.consume(payment);
    const late = body({ id: 'l', order: 'A', action: 'refunded' });
    await consumer.consume(refund, late);
    expect(consumer.waiting()).toHaveLength(2);
    for (const id of ['r', 'l']) dismiss(consumer, `live:event:${id} event`);
    const before = stateOf(consumer);
    expect(await consumer.consume(payment, refund, late)).toEqual([]);
    expect(stateOf(consumer)).toEqual(before);
  });
});

it('the body of a dismissed event, stored again after it has expired, expires again', async () => {
  const consumer = setUpConsumer({ parts: { eventRetentionDays: 30 } });
  await consumer.consume(refund);
  dismiss(consumer, 'live:event:r event');
  consumer.bodies.clear();
  await consumer.consume(refund);
  // 30 days after 2026-11-21T10:00:01Z.
  expect([...consumer.bodies.values()].map(({ expiresAt }) => expiresAt)).toEqual([1_797_847_201]);
});

it('the body of an event that is being admitted does not expire: the admission may be taken back', async () => {
  const consumer = setUpConsumer({ parts: { eventRetentionDays: 30 } });
  await consumer.consume(refund);
  const row = consumer.events.get('live:event:r event') as EventRow;
  consumer.events.set('live:event:r event', { ...row, judged: { ...dismissed, verdict: 'admitted' } });
  await consumer.consume(refund);
  expect([...consumer.bodies.values()].map(({ expiresAt }) => expiresAt)).toEqual([undefined]);
});
