import { expect, it } from 'vitest';
import { runEmulated } from '../emulated/run.ts';

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

it('ten seeds of webhooks over HTTP end right, while 5 % of the calls of the emulators fail', async () => {
  const { deliveries, faults, violations } = await runEmulated(seeds);
  expect(violations).toEqual([]);
  expect(deliveries.length).toBeGreaterThan(150);
  // Every kind of fault has met a call.
  expect(new Set(faults.map(({ fault }) => fault)).size).toBe(10);
}, 600_000);
