import { describe, expect, it } from 'vitest';
import { createQueue } from './aws/queue.ts';
import { createStream } from './aws/stream.ts';
import { startStreamMapping } from './aws/stream-mapping.ts';
import { createClock } from './clock.ts';
import { functionModels } from './function-models.ts';
import { bundleToday, loadBundles } from './lambda/bundles.ts';
import { createFunctions, type Functions } from './lambda/functions.ts';
import type { Instance, SimulatedRequest } from './lambda/instance.ts';
import { startedAt } from './plan.ts';
import { createRandom } from './random.ts';

const today = await bundleToday();
const bundles = loadBundles({ old: today, new: today });
const settings = {
  ...{ eventRetentionDays: undefined, eventMeanings: {}, changesSettleSeconds: 30 },
  signatureHeader: 'x-service-signature',
};
const records = 10;
const halfDay = 12 * 60 * 60;

interface Fault {
  /** The order whose first change EventBridge refuses, and how often. */
  readonly order: number;
  readonly refusals: number;
  /** How many invocations crash before that, each of which bisects its batch. */
  readonly crashes: number;
  /** What becomes of a request whose invocation crashes. */
  readonly crash: 'before the request' | 'after the request';
}

/** Ten new orders in one batch of one lane; then each changes once more. Returns what was published. */
async function publishUnder(fault: Fault) {
  const clock = createClock(startedAt);
  const random = createRandom(JSON.stringify(fault));
  const published: { order: string; sequence: number }[] = [];
  const happened = new Map<string, number>();
  let { crashes, refusals } = fault;

  async function putEvents(instance: Instance, request: SimulatedRequest) {
    const { Entries } = JSON.parse(Buffer.from(request.body).toString()) as { Entries: { Detail: string }[] };
    const changes = Entries.map(({ Detail }) => JSON.parse(Detail) as { order_id: string; sequence: number });
    const crashesNow = crashes > 0;
    crashes -= 1;
    if (crashesNow && fault.crash === 'before the request') functions.kill(instance);
    await clock.pause(5);
    if (crashesNow && fault.crash === 'before the request') return new Promise<never>(() => {});
    const results = changes.map(({ order_id: order, sequence }) => {
      const isRefused = order === `order ${fault.order}` && sequence === 1 && refusals > 0;
      if (isRefused) {
        refusals -= 1;
        return { ErrorCode: 'InternalFailure' };
      }
      published.push({ order, sequence });
      return { EventId: random.uuid() };
    });
    if (crashesNow) functions.kill(instance);
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    const FailedEntryCount = results.filter((result) => 'ErrorCode' in result).length;
    const body = Buffer.from(JSON.stringify({ FailedEntryCount, Entries: results }));
    return { statusCode: 200, headers, body };
  }

  const functions: Functions = createFunctions({
    ...{ bundles, clock, random, models: functionModels(settings), aws: putEvents },
    ...{
      versionOf: () => 'new',
      variablesOf: () => ({}),
      skewOf: () => 0,
      onLine() {},
      send: async () => 503,
      onStart() {},
      onInvoke() {},
      onEnd() {},
    },
  });
  const stream = createStream({ clock, keyName: 'order_key', lanes: 1 });
  const failures = createQueue({ clock, random, visibilitySeconds: 30 });
  const mapping = startStreamMapping({
    ...{
      clock,
      random,
      functions,
      stream,
      failures,
      lanes: 1,
      windowMilliseconds: 250,
      batchRecordsMax: records,
    },
    recordAgeSecondsMax: halfDay,
    count: (name) => happened.set(name, (happened.get(name) ?? 0) + 1),
  });

  const change = (number: number, facts: number): void => {
    const row = (count: number) => ({
      order_key: { S: `live:order:order ${number}` },
      ...{ mode: { S: 'live' }, order_id: { S: `order ${number}` } },
      facts: { SS: Array.from({ length: count }, (_, at) => factOf(number, at)) },
      updated_at: { S: new Date(clock.now()).toISOString() },
    });
    stream.add({ table: 'orders', before: facts === 1 ? undefined : row(facts - 1), after: row(facts) });
  };
  for (let order = 0; order < records; order += 1) change(order, 1);
  clock.after(1_000, () => {
    for (let order = 0; order < records; order += 1) change(order, 2);
  });
  await clock.run(startedAt + halfDay * 1_000, () => mapping.isIdle() && clock.now() > startedAt + 2_000);
  return { published, happened, failures: failures.messages() };
}

/** Each payment of another transaction, so that every fact changes the view of its order. */
const factOf = (order: number, at: number): string =>
  JSON.stringify(['event.1', `e${order}-${at}`, 'transaction.paid', `t${order}-${at}`, '5.00', 'EUR', null]);

describe('the order feed, when the first change of an order fails while its batch is bisected', () => {
  const everything = Array.from({ length: records }, (_, order) => [
    `order ${order} 1`,
    `order ${order} 2`,
  ]).flat();

  it.each(['before the request', 'after the request'] as const)(
    'publishes every change of every order, with invocations that crash %s',
    async (crash) => {
      let bisected = 0;
      for (const order of [0, 4, 9]) {
        for (const crashes of [0, 1, 3, 5]) {
          for (const refusals of [0, 7]) {
            const { published, happened, failures } = await publishUnder({ order, refusals, crashes, crash });
            bisected += happened.get('stream_batch_bisected') ?? 0;
            const names = new Set(published.map((change) => `${change.order} ${change.sequence}`));
            expect([...names].sort(), `order ${order}, ${crashes} crashes, ${refusals} refusals`).toEqual(
              everything,
            );
            expect(failures).toEqual([]);
          }
        }
      }
      expect(bisected).toBeGreaterThan(20);
    },
  );
});
