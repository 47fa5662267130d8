import { expect, it } from 'vitest';
import { choosePair, differencesOf, runWhole, singlePoints } from '../crash-points/crash-points.ts';
import { mixedRun } from '../crash-points/mixed-run.ts';
import { bundleStages, loadBundles } from '../lambda/bundles.ts';
import { createRandom } from '../random.ts';

const whole = await runWhole(loadBundles({ today: await bundleStages() }));

it('the mixed run makes the calls that its steps need, and leaves nothing in a queue', () => {
  expect(whole.map(({ name }) => name)).toEqual(Object.keys(mixedRun));
  expect(whole.reduce((sum, { end }) => sum + end.calls, 0)).toBeGreaterThan(200);
  const idle = 'events: 0\ndeadLetters: 0\nfeedFailures: 0\nfeed: idle';
  expect(whole.filter(({ end }) => !end.state.includes(idle))).toEqual([]);
});

// `npm run crash-points` does everything to every call; here each call has one of the six things that can happen.
it.each(whole.map((step, shift) => ({ name: step.name, step, shift })))(
  '$name ends as without a fault, whichever of its calls is interrupted',
  async ({ step, shift }) => {
    const points = singlePoints(step).filter(
      (_, index) => index % 6 === (shift + 5 * Math.floor(index / 6)) % 6,
    );
    expect(points.length).toBe(step.end.calls);
    const found: string[] = [];
    for (const point of points) found.push(...(await differencesOf(step, [point])));
    expect(found).toEqual([]);
  },
);

it('a step ends as without a fault when two of its calls are interrupted', async () => {
  const random = createRandom('pairs');
  const found: string[] = [];
  for (let pair = 0; pair < 100; pair += 1) {
    const { step, points } = choosePair(whole, random);
    found.push(...(await differencesOf(step, points)));
  }
  expect(found).toEqual([]);
});
