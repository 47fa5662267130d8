import { afterAll, beforeAll, expect, it } from 'vitest';
import { otherBuilds } from '../../cost-model/prices.ts';
import { coldStartRows, measureColdStarts } from '../cold-start.ts';
import { countBaseline } from '../counts.ts';
import { baselineBill } from '../dollars.ts';
import { type Stack, startStack } from '../stack.ts';
import { measureVerifier } from '../verifier-cpu.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

// The limits are far from what `npm run benchmark` prints: a busy machine moves each figure by some percent.
it('starts and answers with less CPU time than the baseline', async () => {
  const rows = coldStartRows(await measureColdStarts(stack, 5));
  const ratioOf = (title: string): number => rows.find((row) => row.title === title)?.ratio ?? Number.NaN;
  expect(ratioOf('verifier: first call')).toBeLessThan(0.4);
  expect(ratioOf('verifier: both')).toBeLessThan(0.75);
  expect(ratioOf('consumer: both')).toBeLessThan(0.85);
});

it('verifies a large webhook in little more than its decoding, HMAC and encoding take', async () => {
  for (const { size, own, ratio } of await measureVerifier()) {
    if (size >= 64) expect(ratio).toBeLessThan(1.4);
    if (size === 1) expect(own).toBeLessThan(25);
  }
});

it('loads undici only in the baseline', async () => {
  const measured = await measureColdStarts(stack, 1);
  const loads = (name: 'baseline' | 'payhooks'): boolean[] =>
    [measured.receive, measured.record].map((runs) => runs[name].some((run) => run.loadsUndici));
  expect(loads('payhooks')).toEqual([false, false]);
  expect(loads('baseline')).toEqual([true, true]);
});

it('costs in the baseline what docs/cost.md compares payhooks with', async () => {
  const bill = baselineBill(await countBaseline());
  const total = bill.reduce((sum, { dollars }) => sum + dollars, 0);
  expect(total).toBeCloseTo(otherBuilds.baseline, 1);
});
