import { expect, it } from 'vitest';
import { runLoad } from '../load.ts';

it('every webhook that local mode acknowledges under load is recorded exactly once', async () => {
  const { result, acknowledged, faults, memory } = await runLoad({ seconds: 3, connections: 4, rate: 20 });
  expect(faults).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(0);
  expect(acknowledged.size).toBe(result['2xx']);
  expect(Math.min(...memory)).toBeGreaterThan(10);
});
