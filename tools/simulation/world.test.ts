import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bundleToday, loadBundles } from './lambda/bundles.ts';
import { createPlan, itemBytesMax } from './plan.ts';
import { createRandom } from './random.ts';
import { createTrace } from './trace.ts';
import { createWorld } from './world.ts';

const key = 'pri_invented';
const webhooks = 20;
const hour = 60 * 60 * 1_000;

const today = await bundleToday();
const bundles = loadBundles({ old: today, new: today });

/** Twenty payments of five orders, delivered without a retry. */
async function simulate(seed: string, { isFaulty }: { isFaulty: boolean }) {
  const random = createRandom(seed);
  const trace = createTrace();
  const chosen = createPlan(random.fork('plan'));
  const calm = {
    ...{ faultRate: 0, killRate: 0, outages: [], skewMillisecondsMax: 0, receivesMax: 90 },
    ...{ compactRows: { old: false, new: false, later: false }, orderBytesMax: itemBytesMax },
  };
  const world = createWorld({ plan: isFaulty ? chosen : { ...chosen, ...calm }, bundles, random, trace });
  world.secret.text = key;
  const statuses: number[] = [];
  for (let number = 0; number < webhooks; number += 1) {
    const transaction = {
      id: `t${number}`,
      amount: '10.00',
      currency: 'EUR',
      order_id: `order ${number % 5}`,
    };
    const event = { id: `event ${number}`, event_name: 'transaction.paid', sandbox: false };
    const body = Buffer.from(JSON.stringify({ ...event, payload: { transaction } }));
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
    world.clock.after(number * 3_000, async () => {
      const request = { stage: 'verifier', routeKey: 'POST /webhooks/payments', headers, body } as const;
      statuses.push((await world.gateway(request)).status);
    });
  }
  await world.clock.run(world.clock.now() + hour);
  return { world, statuses, hash: trace.hash() };
}

describe('the simulated world', () => {
  it('takes webhooks through the bundled functions to the bus when nothing fails', async () => {
    const { world, statuses } = await simulate('calm', { isFaulty: false });
    expect(statuses).toEqual(Array.from({ length: webhooks }, () => 202));
    const recorded = world.dynamoDb.rows('events').flatMap((row) => row['event_id']?.['S'] ?? []);
    expect(new Set(recorded).size).toBe(webhooks);
    expect(world.dynamoDb.rows('orders').map((row) => row['order_id']?.['S'])).toEqual(
      expect.arrayContaining(['order 0', 'order 1', 'order 2', 'order 3', 'order 4']),
    );
    expect(new Set(world.recorder.bus.map(({ detail }) => JSON.parse(detail).order_id)).size).toBe(5);
    expect(world.queues.events.messages()).toEqual([]);
    expect(world.feed.isIdle()).toBe(true);
  });

  it('does the same thing again from the same seed, also after another seed', async () => {
    const first = await simulate('one', { isFaulty: true });
    const other = await simulate('two', { isFaulty: true });
    const second = await simulate('one', { isFaulty: true });
    expect(second.hash).toBe(first.hash);
    expect(other.hash).not.toBe(first.hash);
    expect(first.world.recorder.calls.some(({ fault }) => fault !== undefined)).toBe(true);
  });
});
