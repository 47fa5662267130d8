import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** How many seeds each property gets; each seed runs it as often as `npm test` does. */
const seeds = 20;

// For the usual configuration too.
process.env['PAYHOOKS_TEST_SEED'] ??= 'random';
const { default: usual } = await import('../../vitest.config.ts');
const first = Number(process.env['PAYHOOKS_TEST_SEED']);

const projects = (usual.test?.projects ?? []).flatMap((project) =>
  typeof project === 'object' && 'test' in project ? [project] : [],
);
const named = (name: string) => projects.filter((project) => project.test?.name === name);
const properties = globSync('{test,tools,packages/*/test}/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("from 'fast-check'"),
);

export default defineConfig({
  test: {
    ...usual.test,
    projects: [
      // In the order that the first seed gives.
      ...['unit', 'infra', 'local'].flatMap(named),
      ...Array.from({ length: seeds - 1 }, (_, n) => first + 1 + n).flatMap((seed) =>
        named('unit').map((unit) => ({
          ...unit,
          test: {
            ...unit.test,
            name: `seed ${seed}`,
            include: properties,
            env: { PAYHOOKS_TEST_SEED: `${seed}` },
          },
        })),
      ),
    ],
  },
});
