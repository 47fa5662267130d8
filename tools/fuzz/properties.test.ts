import { expect, it } from 'vitest';
import { documentedOutcomes, properties } from './properties.ts';

it.each(properties)(
  'every $name has an outcome of docs/reliability.md, and each outcome is shown',
  async (one) => {
    const documented = documentedOutcomes(one.name);
    expect(documented.length).toBeGreaterThan(3);
    expect(await one.run({ seed: 1, numRuns: 2_000 })).toEqual(documented.toSorted());
  },
);
