import { expect, it } from 'vitest';
import { readTestSeed } from '../../test/test-seed.ts';
import config from './vitest.config.ts';

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly env?: object };
}

it('npm run explore runs the suites of npm test, and each file with a property under 19 further seeds', () => {
  const projects = (config.test?.projects ?? []) as unknown as Project[];
  const first = readTestSeed(process.env['PAYHOOKS_TEST_SEED']);
  const seeds = Array.from({ length: 19 }, (_, n) => first + 1 + n);
  expect(projects.map(({ test }) => test.name)).toEqual([
    ...['unit', 'infra', 'local'],
    ...seeds.map((seed) => `seed ${seed}`),
  ]);
  const last = projects.at(-1)?.test;
  expect(last?.env).toEqual({ PAYHOOKS_TEST_SEED: `${first + 19}` });
  expect(last?.include).toContain('test/lambdas/domain/fold-order.property.test.ts');
  expect(last?.include).toContain('tools/simulation/checker/fold.property.test.ts');
  expect(last?.include).not.toContain('test/lambdas/order-query/list-orders.test.ts');
});
