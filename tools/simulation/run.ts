import type { History } from './history.ts';
import { type Bundles, stages } from './lambda/bundles.ts';
import { busyMilliseconds, createPlan, itemBytesMax, startedAt } from './plan.ts';
import { createRandom } from './random.ts';
import { readEverything } from './read-everything.ts';
import { measure, startSchedule } from './schedule.ts';
import {
  type PlannedDelivery,
  planDeliveries,
  planRedeliveries,
  planRefunds,
} from './workload/deliveries.ts';
import { createFollower, type RunningFollower } from './workload/follower.ts';
import { startKeys } from './workload/keys.ts';
import { createOperators, type Operators, redrive } from './workload/operators.ts';
import { replayAll } from './workload/replay-all.ts';
import { createSenders, type Senders } from './workload/senders.ts';
import { createWorld, type World } from './world.ts';

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

const minute = 60_000;
const day = 24 * 60 * minute;
/** How long everybody is busy again after quiet days. */
const laterMilliseconds = minute;
/** Ten times what the slowest retry needs after faults have ended. */
const drainMillisecondsMax = day / 2;

/** One run: everybody is busy while things fail, then nothing fails and everything drains. */
export async function runSeed({ seed, bundles, onLine }: RunOptions): Promise<Run> {
  const random = createRandom(String(seed));
  const plan = createPlan(random.fork('plan'));
  const world = createWorld({ plan, bundles, random: random.fork('world'), onLine });
  const { clock, recorder, queues, dynamoDb } = world;

  const keys = startKeys(world, random.fork('keys'));
  const senders = createSenders(world, { keys, random: random.fork('senders') });
  const operators = createOperators(world, random.fork('operators'));
  const isCrowded = plan.orderBytesMax < itemBytesMax;
  const { deployment } = plan;
  const misread = deployment?.formerly.hasOtherPlaces ? deployment : undefined;
  const planned = planDeliveries(random.fork('deliveries'), recorder.count, { isCrowded, misread });
  // Each page queries all shards of the index, which is most of what a run computes: one follower.
  const followed = random.fork('followed mode').chance(0.8) ? 'live' : 'sandbox';
  const follower = createFollower(world, followed, random.fork('follower'));
  const people = { senders, operators, follower };

  if (deployment !== undefined) recorder.count(`deployment_of_${misread ? 'places' : 'meanings'}`);
  senders.send(planned);
  operators.work(4, 2 * busyMilliseconds);
  operators.replayOnArrival(planned);
  await busyTime(world, people, busyMilliseconds);
  if (plan.quietDays !== undefined) {
    await quietTime(world, plan.quietDays);
    senders.send(planRedeliveries(planned, random.fork('redeliveries')));
    operators.work(1, laterMilliseconds);
    await busyTime(world, people, laterMilliseconds);
  }
  if (deployment !== undefined) await replayTime(world, people, planRefunds(planned, random.fork('refunds')));
  measure(world);
  const finalReads = await readEverything(world, follower);
  recorder.trace('end');

  const history: History = {
    ...{
      seed,
      settings: plan.settings,
      orderBytesMax: plan.orderBytesMax,
      formerly: deployment && { until: deployment.until, ...deployment.formerly },
      startedAt,
      endedAt: clock.now(),
    },
    ...recorder.history,
    ...{ deliveries: senders.deliveries, secretValues: keys.values, operatorCalls: operators.calls },
    ...{ follower: { mode: follower.mode, pages: follower.pages }, finalReads },
    tables: { events: dynamoDb.rows('events'), orders: dynamoDb.rows('orders') },
    queues: {
      events: queues.events.messages(),
      deadLetters: queues.deadLetters.messages(),
      feedFailures: queues.feedFailures.messages(),
    },
  };
  return { history, hash: recorder.hash() };
}

interface People {
  readonly senders: Senders;
  readonly operators: Operators;
  readonly follower: RunningFollower;
}

/** Things fail for this long; then nothing does, until everything has drained. */
async function busyTime(world: World, people: People, milliseconds: number): Promise<void> {
  const { clock, queues, feed, recorder } = world;
  const { senders, operators, follower } = people;
  const endSchedule = startSchedule(world);
  follower.start();
  world.allowFaults(true);
  await clock.run(clock.now() + milliseconds);
  world.allowFaults(false);
  const faultsEndedAt = clock.now();
  recorder.trace('faults end');
  await clock.run(faultsEndedAt + drainMillisecondsMax, () => {
    redrive(world);
    const isQuiet = senders.isIdle() && operators.isIdle() && feed.isIdle();
    return isQuiet && queues.events.messages().length === 0;
  });
  follower.stop();
  // Indexes settle, and the last count of what waits sees everything.
  await clock.run(clock.now() + 2 * minute);
  endSchedule();
}

/**
 * Everything is read again, by the version of today, and what it corrects is published. What arrives after
 * that belongs to the orders of today, and to no former one.
 */
async function replayTime(world: World, people: People, later: readonly PlannedDelivery[]): Promise<void> {
  const { clock, feed, queues } = world;
  const { operators, senders } = people;
  const endSchedule = startSchedule(world);
  let isDone = false;
  void replayAll(world, operators.call).then(() => {
    isDone = true;
  });
  await clock.run(clock.now() + drainMillisecondsMax, () => isDone && feed.isIdle());
  senders.send(later);
  const isQuiet = () => senders.isIdle() && feed.isIdle() && queues.events.messages().length === 0;
  await clock.run(clock.now() + drainMillisecondsMax, isQuiet);
  await clock.run(clock.now() + 2 * minute);
  endSchedule();
}

/** Nobody does anything, and what may expire does. */
async function quietTime({ clock, dynamoDb, recorder, functions }: World, days: number): Promise<void> {
  recorder.count('quiet_days', days);
  await clock.run(clock.now() + days * day);
  for (let sweep = 0; sweep < 2; sweep += 1) await dynamoDb.expire();
  // Lambda keeps no instance for days.
  for (const stage of stages) functions.retireIdle(stage);
}
