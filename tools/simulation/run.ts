import type { History } from './history.ts';
import type { Bundles } from './lambda/bundles.ts';
import { busyMilliseconds, createPlan, startedAt } from './plan.ts';
import { createRandom } from './random.ts';
import { readEverything } from './read-everything.ts';
import { measure, startSchedule } from './schedule.ts';
import { createTrace } from './trace.ts';
import { planDeliveries } from './workload/deliveries.ts';
import { startFollower } from './workload/follower.ts';
import { startKeys } from './workload/keys.ts';
import { redrive, startOperators } from './workload/operators.ts';
import { startSenders } from './workload/senders.ts';
import { createWorld } from './world.ts';

export interface Run {
  readonly history: History;
  /** The SHA-256 of everything that happened, in its order. */
  readonly hash: string;
}

export interface RunOptions {
  readonly seed: number;
  readonly bundles: Bundles;
  readonly onLine?: ((line: string) => void) | undefined;
}

const hour = 60 * 60 * 1_000;
/** Ten times what the slowest retry needs after faults have ended. */
const drainMillisecondsMax = 12 * hour;

/** One run: everybody is busy while things fail, then nothing fails and everything drains. */
export async function runSeed({ seed, bundles, onLine }: RunOptions): Promise<Run> {
  const random = createRandom(String(seed));
  const trace = createTrace(onLine);
  const plan = createPlan(random.fork('plan'));
  const world = createWorld({ plan, bundles, random: random.fork('world'), trace });
  const { clock, recorder, queues, dynamoDb } = world;

  const keys = startKeys(world, random.fork('keys'));
  const planned = planDeliveries(random.fork('deliveries'), recorder.count);
  const senders = startSenders(world, { planned, keys, random: random.fork('senders') });
  const operators = startOperators(world, random.fork('operators'));
  // Each page queries all shards of the index, which is most of what a run computes: one follower.
  const followed = random.fork('followed mode').chance(0.8) ? 'live' : 'sandbox';
  const followers = [startFollower(world, followed, random.fork('follower'))];
  const endSchedule = startSchedule(world);

  await clock.run(startedAt + busyMilliseconds);
  world.endFaults();
  const faultsEndedAt = clock.now();
  trace.add(faultsEndedAt, 'faults end');
  const redrives = [...operators.redrives];
  const isDrained = (): boolean => {
    redrive(world, redrives);
    const isQuiet = senders.isIdle() && operators.isIdle() && world.feed.isIdle();
    return isQuiet && queues.events.messages().length === 0;
  };
  await clock.run(faultsEndedAt + drainMillisecondsMax, isDrained);
  for (const follower of followers) follower.stop();
  // Indexes settle, and the last count of what waits sees everything.
  await clock.run(clock.now() + 2 * 60_000);
  endSchedule();
  measure(world);
  const finalReads = await readEverything(world, senders.deliveries, followers);
  trace.add(clock.now(), 'end');

  const history: History = {
    ...{ seed, settings: plan.settings, startedAt, faultsEndedAt, endedAt: clock.now() },
    ...{ deliveries: senders.deliveries, secretValues: keys.values },
    ...{ operatorCalls: operators.calls, redrives, followers, finalReads },
    tables: { events: dynamoDb.rows('events'), orders: dynamoDb.rows('orders') },
    queues: {
      events: queues.events.messages(),
      deadLetters: queues.deadLetters.messages(),
      feedFailures: queues.feedFailures.messages(),
    },
    ...{ expiredRows: recorder.expiredRows, streamRecords: recorder.streamRecords, bus: recorder.bus },
    ...{ metrics: recorder.metrics, logLines: recorder.logLines },
    ...{ invocations: recorder.invocations, calls: recorder.calls },
    counters: Object.fromEntries([...recorder.counters].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return { history, hash: trace.hash() };
}
