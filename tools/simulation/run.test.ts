import { describe, expect, it } from 'vitest';
import { check } from './checker/check.ts';
import { bundleToday, loadBundles } from './lambda/bundles.ts';
import { runSeed } from './run.ts';

const today = await bundleToday();
const bundles = loadBundles({ old: today, new: today });

describe('a simulated run', () => {
  it('does the same thing again from the same seed, in whatever order the seeds run', async () => {
    const hashes = async (seeds: readonly number[]) => {
      const hashBySeed = new Map<number, string>();
      for (const seed of seeds) hashBySeed.set(seed, (await runSeed({ seed, bundles })).hash);
      return seeds.toSorted((a, b) => a - b).map((seed) => hashBySeed.get(seed));
    };
    const forwards = await hashes([1, 2]);
    expect(await hashes([2, 1])).toEqual(forwards);
    expect(new Set(forwards).size).toBe(2);
  });

  it('drains once faults have ended: no message, no record and no retry is left', async () => {
    const { history } = await runSeed({ seed: 4, bundles });
    expect(history.queues.events).toEqual([]);
    expect(history.endedAt).toBeGreaterThan(history.faultsEndedAt);
    const last = history.deliveries.map(({ attempts }) => attempts.at(-1)?.outcome.kind);
    expect(new Set(last)).toEqual(new Set(['status']));
    expect(history.finalReads.orders.map(({ outcome }) => outcome)).not.toHaveLength(0);
    for (const { outcome } of history.finalReads.orders)
      expect(outcome).toMatchObject({ kind: 'status', status: expect.toBeOneOf([200, 404]) });
  });

  it.each(Array.from({ length: 5 }, (_, index) => index + 1))(
    'breaks no rule under seed %i',
    async (seed) => {
      const { history } = await runSeed({ seed, bundles });
      expect(history.calls.length).toBeGreaterThan(100);
      expect(check(history)).toEqual([]);
    },
  );
});
