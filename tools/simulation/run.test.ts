import { describe, expect, it } from 'vitest';
import { check } from './checker/check.ts';
import { bundleVersions, loadBundles } from './lambda/bundles.ts';
import { type Run, runSeed } from './run.ts';

const bundles = loadBundles(await bundleVersions());
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const runs: Run[] = [];
for (const seed of seeds) runs.push(await runSeed({ seed, bundles }));
const histories = runs.map(({ history }) => history);

describe('a simulated run', () => {
  it('does the same thing again from the same seed, in whatever order the seeds run', async () => {
    const backwards = [];
    for (const seed of [2, 1]) backwards.unshift((await runSeed({ seed, bundles })).hash);
    const forwards = runs.slice(0, 2).map(({ hash }) => hash);
    expect(backwards).toEqual(forwards);
    expect(new Set(forwards).size).toBe(2);
  });

  it('drains once faults have ended: no message, no record and no retry is left', () => {
    for (const { queues, finalReads } of histories) {
      expect(queues.events).toEqual([]);
      expect(finalReads.orders.map(({ outcome }) => outcome.kind)).not.toContain('unknown');
    }
  });

  it.each(histories)('breaks no rule under seed $seed', (history) => {
    expect(history.calls.length).toBeGreaterThan(100);
    expect(check(history)).toEqual([]);
  });
});
