import type { FinalReads, HttpCall } from './history.ts';
import { createRandom } from './random.ts';
import { type CallRequest, createCaller } from './workload/caller.ts';
import type { RunningFollower } from './workload/follower.ts';
import type { World } from './world.ts';

/** What order systems and operators can read once everything has drained. */
export async function readEverything(world: World, follower: RunningFollower): Promise<FinalReads> {
  const call = createCaller(world, 'reader', createRandom('unused: nothing is lost any more'));
  const orders = world.dynamoDb.rows('orders').flatMap((row): CallRequest[] => {
    const [, mode, order_id] = /^(live|sandbox):order:(.*)$/s.exec(String(row['order_key']?.['S'])) ?? [];
    if (mode === undefined || order_id === undefined) return [];
    const order = { pathParameters: { order_id }, query: { mode } };
    return [{ stage: 'order-query', routeKey: 'GET /orders/{order_id}', ...order }];
  });
  const waiting = ['live', 'sandbox'].map((mode): CallRequest => {
    return { stage: 'operations', routeKey: 'GET /operations/waiting', query: { mode, limit: '100' } };
  });
  const readAll = async (requests: readonly CallRequest[]): Promise<HttpCall[]> => {
    const made: HttpCall[] = [];
    for (const request of requests) made.push(await call(request));
    return made;
  };
  let reads: FinalReads | undefined;
  void follower
    .catchUp()
    .then(async () => {
      reads = { orders: await readAll(orders), waiting: await readAll(waiting) };
    })
    .catch(world.clock.fail);
  await world.clock.run(Number.POSITIVE_INFINITY, () => reads !== undefined);
  if (reads === undefined) throw new Error('Not everything could be read.');
  return reads;
}
