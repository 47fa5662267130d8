import type { Delivery, FinalReads, HttpCall, Mode } from './history.ts';
import { createRandom } from './random.ts';
import { type CallRequest, createCaller } from './workload/caller.ts';
import type { RunningFollower } from './workload/follower.ts';
import type { World } from './world.ts';

const modes = ['live', 'sandbox'] as const;

/** What order systems and operators can read once everything has drained. */
export async function readEverything(
  world: World,
  deliveries: readonly Delivery[],
  followers: readonly RunningFollower[],
): Promise<FinalReads> {
  const call = createCaller(world, 'reader', createRandom('unused: nothing is lost any more'));
  const reads: (() => Promise<unknown>)[] = followers.map((follower) => follower.catchUp);
  const readAll = (requests: readonly CallRequest[]): HttpCall[] => {
    const made: HttpCall[] = [];
    reads.push(...requests.map((request) => async () => made.push(await call(request))));
    return made;
  };
  const named = (...fields: readonly ('orderId' | 'formerOrderId' | 'id')[]): [Mode, string][] => {
    const pairs = deliveries.flatMap(({ mode, meant }) =>
      fields.flatMap((field) => {
        const id = meant?.[field];
        return mode === undefined || id === undefined ? [] : [`${mode} ${id}`];
      }),
    );
    return [...new Set(pairs)].map((pair) => [
      modes.find((mode) => pair.startsWith(mode)) ?? 'live',
      pair.replace(/^\w+ /, ''),
    ]);
  };
  const finalReads: FinalReads = {
    orders: readAll(
      named('orderId', 'formerOrderId').map(([mode, order_id]) => ({
        ...{ stage: 'order-query', routeKey: 'GET /orders/{order_id}' },
        ...{ pathParameters: { order_id }, query: { mode } },
      })),
    ),
    events: readAll(
      named('id').map(([mode, event_id]) => ({
        ...{ stage: 'order-query', routeKey: 'GET /events/{event_id}' },
        ...{ pathParameters: { event_id }, query: { mode } },
      })),
    ),
    waiting: readAll(
      modes.map((mode) => ({
        ...{ stage: 'operations', routeKey: 'GET /operations/waiting', query: { mode, limit: '100' } },
      })),
    ),
  };
  let isDone = false;
  const readOneByOne = async (): Promise<void> => {
    for (const read of reads) await read();
    isDone = true;
  };
  void readOneByOne();
  await world.clock.run(Number.POSITIVE_INFINITY, () => isDone);
  return finalReads;
}
