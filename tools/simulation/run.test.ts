import { describe, expect, it } from 'vitest';
import { check } from './checker/check.ts';
import { bundleToday, loadBundles } from './lambda/bundles.ts';
import { type Run, runSeed } from './run.ts';

const today = await bundleToday();
const bundles = loadBundles({ today });
const seeds = [1, 2, 3, 4, 5];
let firstRuns: Promise<ReadonlyMap<number, Run>> | undefined;

/** The first run of each seed, one after the other: the tests of this file share them. */
async function firstRunOf(seed: number): Promise<Run> {
  firstRuns ??= (async () => {
    const runs = new Map<number, Run>();
    for (const one of seeds) runs.set(one, await runSeed({ seed: one, bundles }));
    return runs;
  })();
  return (await firstRuns).get(seed) ?? expect.unreachable(`Seed ${seed} did not run.`);
}

describe('a simulated run', () => {
  it('does the same thing again from the same seed, in whatever order the seeds run', async () => {
    const forwards = [(await firstRunOf(1)).hash, (await firstRunOf(2)).hash];
    const backwards = [];
    for (const seed of [2, 1]) backwards.unshift((await runSeed({ seed, bundles })).hash);
    expect(backwards).toEqual(forwards);
    expect(new Set(forwards).size).toBe(2);
  });

  it('drains once faults have ended: no message, no record and no retry is left', async () => {
    const { history } = await firstRunOf(4);
    expect(history.queues.events).toEqual([]);
    expect(history.endedAt).toBeGreaterThan(history.faultsEndedAt);
    const last = history.deliveries.map(({ attempts }) => attempts.at(-1)?.outcome.kind);
    expect(new Set(last)).toEqual(new Set(['status']));
    expect(history.finalReads.orders.map(({ outcome }) => outcome)).not.toHaveLength(0);
    for (const { outcome } of history.finalReads.orders)
      expect(outcome).toMatchObject({ kind: 'status', status: expect.toBeOneOf([200, 404]) });
  });

  it.each(seeds)('breaks no rule under seed %i', async (seed) => {
    const { history } = await firstRunOf(seed);
    expect(history.calls.length).toBeGreaterThan(100);
    expect(check(history)).toEqual([]);
  });
});
