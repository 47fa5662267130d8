import { describe, expect, it } from 'vitest';
import { mustHappen } from '../sometimes.ts';
import { faultsOf, violationsOf } from './report.ts';

const result = (seed: number, more: object = {}) => ({ seed, hash: '', violations: [], counts: {}, ...more });

describe('the report of npm run simulate-faults', () => {
  it('names a failed seed, its first violation and the command that repeats it', () => {
    const violations = [
      { rule: 'recorded', sentence: 'The event 7 is lost.' },
      { rule: 'orders', sentence: 'The order 3 is wrong.' },
    ] as const;
    const lines = [
      'Seed 2: The event 7 is lost. (and 1 more)',
      '  repeat it with npm run simulate-faults -- --seed 2',
    ];
    expect(violationsOf(result(1))).toEqual([]);
    expect(violationsOf(result(2, { violations }))).toEqual(lines);
    expect(faultsOf([result(1), result(2, { violations })])).toEqual(lines);
  });

  it('fails a set of 500 runs in which something never happened that must happen sometimes', () => {
    const [missing, ...others] = mustHappen;
    const counts = Object.fromEntries(others.map((name) => [name, 1]));
    const results = Array.from({ length: 500 }, (_, seed) => result(seed, { counts }));
    expect(faultsOf(results)).toEqual([`In none of 500 runs did this happen: ${missing}.`]);
    expect(faultsOf(results.slice(1))).toEqual([]);
  });
});
