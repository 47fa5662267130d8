import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One core is left free otherwise, which is half of a small machine.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/**/*.test.ts',
            'packages/{order-client,payment-service}/test/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: ['test/{infra,local,heavy,deploy}/**'],
        },
      },
      {
        // Loading aws-cdk-lib takes seconds, so that the files of this project share their processes.
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'local',
          include: ['test/local/**/*.test.ts', 'packages/cdk-local/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // What `npm test` leaves to `.ci/run`: browsers, and processes that are killed.
        test: {
          name: 'heavy',
          include: ['test/heavy/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        // `npm run test:deploy`: the real CDK CLI and MiniStack, which is not an npm package.
        test: {
          name: 'deploy',
          include: ['test/deploy/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
