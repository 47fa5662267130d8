import { expect, it } from 'vitest';
import { createRandom } from '../../src/simulator/delivery/random.ts';

it.each([
  // The numbers of mulberry32 as another program computes them.
  [1, [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]],
  [7, [0.011704753153026104, 0.06195825757458806, 0.97690763277933]],
])('the seed %i always gives the same numbers', (seed, numbers) => {
  const random = createRandom(seed);
  expect([random(), random(), random()]).toEqual(numbers);
});
