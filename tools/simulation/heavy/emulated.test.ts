import { expect, it } from 'vitest';
import { runEmulated } from '../emulated/run.ts';

it('ten seeds of webhooks over HTTP end right in either form of rows, while 5 % of the calls fail', async () => {
  const runs = [
    await runEmulated([1, 2, 3, 4, 5], { compactRows: false }),
    await runEmulated([6, 7, 8, 9, 10], { compactRows: true }),
  ];
  expect(runs.flatMap(({ violations }) => violations)).toEqual([]);
  expect(runs.map(({ compactRows }) => compactRows > 20)).toEqual([false, true]);
  expect(runs.flatMap(({ deliveries }) => deliveries).length).toBeGreaterThan(150);
  // Every kind of fault has met a call.
  expect(new Set(runs.flatMap(({ faults }) => faults).map(({ fault }) => fault)).size).toBe(10);
}, 600_000);
