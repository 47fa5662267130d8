import type { Item } from '../aws/dynamodb/store.ts';
import type { Bundles } from '../lambda/bundles.ts';
import { createPlan, itemBytesMax } from '../plan.ts';
import { createRandom } from '../random.ts';
import { createTrace } from '../trace.ts';
import { createWorld, type World } from '../world.ts';
import { createCaller, keySecret } from './caller.ts';
import { type CountedInterruptions, type CrashPoint, interruptAt } from './interruptions.ts';
import type { Step } from './mixed-run.ts';

const hour = 60 * 60 * 1_000;

/** The rows of both tables. */
export type Rows = Readonly<Record<'events' | 'orders', readonly Item[]>>;

export interface StepEnd {
  /** The calls of AWS that the step made. */
  readonly calls: number;
  /** How many of the points it reached. */
  readonly reached: number;
  readonly rows: Rows;
  /** The rows, the queues, what was published and what the callers got, one a line. */
  readonly state: string;
}

export interface StepRun {
  readonly bundles: Bundles;
  readonly step: Step;
  /** Which step of the run it is: each has an hour of its own, so that times differ by minutes only. */
  readonly index: number;
  /** What the step before left. */
  readonly before: Rows;
  readonly points: readonly CrashPoint[];
}

/** Runs one step in new instances of all functions, interrupted at these points, until all is done. */
export async function runStep(run: StepRun): Promise<StepEnd> {
  const { bundles, step, index, before, points } = run;
  const random = createRandom('crash points');
  const chosen = createPlan(random.fork('plan'));
  const settings = { ...chosen.settings, eventMeanings: {}, eventRetentionDays: 30, sequenceBase: 0 };
  const bounds = {
    ...{ receivesMax: 90, feedRecordAgeSecondsMax: 12 * 60 * 60, skewMillisecondsMax: 0 },
    orderBytesMax: itemBytesMax,
  };
  let interruptions: CountedInterruptions | undefined;
  const world = createWorld({
    plan: { ...chosen, ...bounds, settings, deployment: undefined },
    ...{ bundles, random, trace: createTrace() },
    interrupt: (kill) => {
      interruptions = interruptAt(points, kill);
      return interruptions;
    },
  });
  world.secret.text = keySecret;
  await world.dynamoDb.load('events', before.events);
  await world.dynamoDb.load('orders', before.orders);
  const responses: string[] = [];
  const caller = createCaller(world, (text) => responses.push(text));
  world.clock.after((index + 1) * hour, () => {
    interruptions?.begin();
    void step(caller);
  });
  await world.clock.run(world.clock.now() + (index + 2) * hour);
  const rows = { events: world.dynamoDb.rows('events'), orders: world.dynamoDb.rows('orders') };
  const counted = { calls: interruptions?.calls() ?? 0, reached: interruptions?.reached() ?? 0 };
  return { ...counted, rows, state: [...rowTexts(rows), ...effects(world), ...responses.sort()].join('\n') };
}

/** Of the events of an order, any may be the one with which a replay publishes it. */
const isReplay = (row: Item): boolean =>
  row['act']?.['S'] === 'replay' && row['event_key']?.['S']?.toString().includes(':event:') === true;

/** How often a row was written, and which of its entries a first delivery added. */
const uncompared = ['version', 'sequence', 'joined_at'];

/**
 * Sets have no order, and times count to the hour. The last use of a private key is left out: when it cannot
 * be stored, the next event of the key stores it.
 */
function rowTexts({ events, orders }: Rows): string[] {
  const canonical = (_: string, value: unknown) => {
    const isSet = typeof value === 'object' && value !== null && 'SS' in value;
    return isSet ? { SS: (value.SS as string[]).toSorted() } : value;
  };
  const isCompared = (row: Item): boolean =>
    !isReplay(row) && !row['event_key']?.['S']?.toString().endsWith(':keys');
  const compared = [...events, ...orders].filter(isCompared);
  return compared.map((row) =>
    toTheHour(
      JSON.stringify(
        Object.entries(row)
          .filter(([name]) => !uncompared.includes(name))
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        canonical,
      ),
    ),
  );
}

/**
 * What waits, and what was published last of each order: changes that came together are one message or
 * several.
 */
function effects({ queues, recorder, feed }: World): string[] {
  const lengths = Object.entries(queues).map(([name, queue]) => `${name}: ${queue.messages().length}`);
  const messages = recorder.bus.map(({ detail }) => JSON.parse(detail) as Readonly<Record<string, unknown>>);
  const last = new Map(
    messages.map(({ id, sequence, previous, caused_by, ...state }) => [state['order_id'], state]),
  );
  const published = [...last.values()].map((state) => toTheHour(JSON.stringify(state)));
  return [...lengths, `feed: ${feed.isIdle() ? 'idle' : 'busy'}`, ...published.sort()];
}

/** Times in ISO 8601, and seconds since the epoch at which a row expires. */
const toTheHour = (text: string): string =>
  text
    .replace(/(T\d\d):\d\d:\d\d(\.\d+)?Z/g, '$1Z')
    .replace(/"N":"(\d{10})"/g, (_, seconds) => `hour ${Math.floor(seconds / 3_600)}`);
