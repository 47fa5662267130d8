import { expect, it } from 'vitest';
import { runHistory } from '../../histories/history.ts';

it('after random histories, everything is as if every body had been read the same way from the beginning', async () => {
  const stats = { killed: 0, busy: 0, acts: 0 };
  const faults: string[] = [];
  for (let seed = 1; seed <= 50; seed += 1) {
    const fault = await runHistory(seed, stats);
    if (fault !== undefined) faults.push(`seed ${seed}: ${fault}`);
  }
  expect(faults).toEqual([]);
  expect(stats.acts).toBeGreaterThan(500);
  expect(stats.killed).toBeGreaterThan(200);
});
