import { describe, expect, it } from 'vitest';
import { delivered, setUpConsumer } from '../../doubles/consumer.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';

const days = 24 * 60 * 60;
/** 30 days after 2026-11-21T10:00:01Z. */
const expiry = 1_797_847_201;
const kept = { eventRetentionDays: 30 };

describe('with eventRetentionDays, the body of an event', () => {
  it('has a row of its own, which expires that long after it was recorded', async () => {
    const { row } = await delivered([payment], kept);
    expect(row('p')).toMatchObject({ bodyRow: { expiresAt: expiry }, body: payment.body });
  });

  it('of a heartbeat has no row of its own, because the whole row of the event expires', async () => {
    const heartbeat = { ...sent({ id: 'p', order: 'A', sandbox: true }), mode: 'heartbeat' as const };
    const { tables } = await delivered([heartbeat], kept);
    const [row] = tables.events.values();
    expect([row?.body !== undefined, row?.bodyRow]).toEqual([true, undefined]);
  });
});

describe('a body that a crash kept out of its row', () => {
  /** An event whose row is stored without its body, so many seconds later. */
  async function crashed(message: typeof payment, seconds: number) {
    const consumer = setUpConsumer({ ...kept, failing: 'putBody' });
    expect(await consumer.consume(message)).toEqual([message.messageId]);
    expect(consumer.row(message.messageId).body).toBeUndefined();
    consumer.repair();
    consumer.wait(seconds);
    return consumer;
  }

  it.each([
    ['the last moment of', 30 * days - 1, true],
    ['no moment after', 30 * days, false],
  ])('is stored in %s its retention', async (_, seconds, isStored) => {
    const { deliver, row } = await crashed(payment, seconds);
    await deliver(payment);
    expect(row('p').body !== undefined).toBe(isStored);
  });

  it('is stored at any time while its event waits', async () => {
    const { deliver, row } = await crashed(refund, 300 * days);
    const other = sent({ id: 'r', action: 'refunded', amount: '1.00' });
    await deliver(other, refund);
    expect(row('r')).toMatchObject({ body: refund.body, bodyRow: {}, waiting: 'unassigned' });
    expect(row('r', 'conflict').body).toEqual(other.body);
  });
});
