import { expect, it } from 'vitest';
import { outcomes } from './outcomes.ts';
import { properties } from './properties.ts';

it.each(properties)(
  'every $name ends in a listed outcome, and each of them is shown',
  async ({ name, run }) => {
    expect(await run({ seed: 1, numRuns: 2_000 })).toEqual(outcomes[name].toSorted());
  },
);
