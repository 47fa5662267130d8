import { expect, it } from 'vitest';
import { faultsOf } from '../judgement.ts';
import { runLoad, type Sample } from '../run.ts';

it('every webhook that local mode acknowledges under load is recorded exactly once', async () => {
  const samples: Sample[] = [];
  const load = { seconds: 60, webhooks: 40, connections: 4, rate: 20 };
  const result = await runLoad(load, (sample) => samples.push(sample));
  expect(result.sent).toBe(40);
  expect(result.acknowledged).toBeGreaterThan(0);
  expect(result.outcomes.filter(({ status }) => status === 202)).toHaveLength(result.acknowledged);
  expect(faultsOf(result.judgement)).toEqual([]);
  expect(result.judgement.recordedOnce).toBeGreaterThanOrEqual(result.acknowledged);
  expect(samples.at(-1)?.waiting).toBe(0);
  expect(Math.min(...samples.map(({ memoryBytes }) => memoryBytes))).toBeGreaterThan(10e6);
});
