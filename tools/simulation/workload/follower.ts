import { responseOf } from '../checker/order-views.ts';
import type { HttpCall, Mode } from '../history.ts';
import { startedAt } from '../plan.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { createCaller } from './caller.ts';

export type RunningFollower = ReturnType<typeof createFollower>;

const pauseMilliseconds = { min: 60_000, max: 150_000 } as const;
const limits = ['2', '10', '100'] as const;
const limitMax = '100';

/** An order system that reads what has changed since it last looked, from the beginning of the run. */
export function createFollower(world: World, mode: Mode, random: Random) {
  const call = createCaller(world, `follower of ${mode}`, random);
  const pages: HttpCall[] = [];
  const since = new Date(startedAt - 60_000).toISOString();
  let cursor: string | undefined;
  let polling: object | undefined;

  /** Whether there is more to read; `undefined` when the page could not be read. */
  async function readPage(limit: string): Promise<boolean | undefined> {
    const query = {
      ...{ mode, limit },
      ...(cursor === undefined ? { updated_since: since } : { cursor }),
    };
    const page = await call({ stage: 'order-query', routeKey: 'GET /orders', query });
    pages.push(page);
    const next = responseOf<{ next_cursor: string | null }>(page)?.next_cursor;
    if (next === undefined) return undefined;
    if (next !== null) cursor = next;
    return next !== null;
  }

  async function poll(): Promise<void> {
    const self = {};
    polling = self;
    while (polling === self) {
      await readPage(random.pick(limits));
      await world.clock.pause(random.integer(pauseMilliseconds.min, pauseMilliseconds.max));
    }
  }
  return {
    mode,
    pages,
    /** Reads on until the list has no more. */
    async catchUp(): Promise<void> {
      while (await readPage(limitMax));
    },
    /** Polls from now on. */
    start: (): void => void poll(),
    stop(): void {
      polling = undefined;
    },
  };
}
