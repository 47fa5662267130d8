import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect, it } from 'vitest';
import { requestsTo } from '../local/pipeline/running-pipeline.ts';
import { postUntilKilled, processesOnOneDirectory } from './local-process.ts';

const ordersCount = 50;
const orderOf = (n: number): string => `order-${n % ordersCount}`;
const bodies = new Map(
  Array.from({ length: 400 }, (_, n) => {
    const eventId = `evt-${n}`;
    const ids = { eventId, orderId: orderOf(n), transactionId: `txn-${n % ordersCount}` };
    return [eventId, bytesOf(paidEvent({ seed: `kill ${n}`, ...ids }))];
  }),
);

it('keeps every acknowledged event, once, through a kill -9 in the middle of 400 posts', async () => {
  const start = await processesOnOneDirectory();
  const acknowledged = await postUntilKilled(await start(), bodies, 150);
  expect(acknowledged.size).toBeGreaterThanOrEqual(150);
  expect(acknowledged.size).toBeLessThan(bodies.size);

  const restarted = await start();
  const { event, order } = requestsTo(restarted.baseUrl);
  const expected = new Map<string, string[]>();
  for (const id of acknowledged) {
    const orderId = orderOf(Number(id.slice('evt-'.length)));
    expected.set(orderId, [...(expected.get(orderId) ?? []), id]);
    const recorded = await event(id, ({ outcome }) => outcome === 'applied');
    expect(recorded).toMatchObject({ outcome: 'applied', order_id: orderId, others: [] });
    const bytes = Buffer.from(String(recorded['body_base64']), 'base64');
    expect(bytes.equals(bodies.get(id) ?? Buffer.alloc(0))).toBe(true);
  }
  for (const [orderId, eventIds] of expected) {
    const { status, events } = (await order(orderId)) as { status: string; events: { id: string }[] };
    const ids = events.map(({ id }) => id);
    expect(status).toBe('paid');
    expect(ids).toHaveLength(new Set(ids).size);
    expect(eventIds.filter((id) => !ids.includes(id))).toEqual([]);
  }
  expect(await restarted.kill('SIGTERM')).toBe(0);
});
