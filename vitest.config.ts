import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { readTestSeed } from './test/setup/test-seed.ts';

// Compiled code is kept for the next process: a worker, or one that a test starts.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

// Workers read it again, so that `random` becomes one number.
const seed = readTestSeed(process.env['PAYHOOKS_TEST_SEED']);
process.env['PAYHOOKS_TEST_SEED'] = `${seed}`;

// What a test waits for comes at once on an idle machine, and minutes later on one that runs ten suites.
const patient = {
  ...{ testTimeout: 1_200_000, hookTimeout: 900_000 },
  expect: { poll: { timeout: 180_000, interval: 10 } },
};
const setupFiles = ['test/setup/leave-no-trace.ts'];
// Where files share a process; what comes first looks last.
const sharedSetupFiles = ['test/setup/leave-no-variable.ts', ...setupFiles];
const unitSetupFiles = ['test/setup/same-values.ts', ...sharedSetupFiles];

export default defineConfig({
  test: {
    // One core is left free otherwise, which is half of a small machine.
    maxWorkers: '100%',
    // For `--sequence.shuffle`, which `npm test` sets.
    sequence: { seed },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/**/*.test.ts',
            'packages/{lean-aws-sdk,order-client,payment-service}/test/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: [
            'test/{lib,bin,local,heavy,browser,clients,deploy}/**',
            '{packages/*/test,tools/*}/heavy/**',
          ],
          // A file takes its modules from those before it, which halves the time of the project.
          isolate: false,
          setupFiles: unitSetupFiles,
          // The clients of AWS are as patient with emulators as in local mode.
          env: { AWS_SAM_LOCAL: 'true' },
          ...patient,
        },
      },
      {
        // Loading aws-cdk-lib takes seconds, so that the files of this project share their processes.
        test: {
          name: 'infra',
          include: ['test/{lib,bin}/**/*.test.ts'],
          isolate: false,
          setupFiles: sharedSetupFiles,
          ...patient,
        },
      },
      {
        test: {
          name: 'local',
          include: ['test/local/**/*.test.ts', 'packages/cdk-local/test/**/*.test.ts'],
          isolate: false,
          setupFiles: sharedSetupFiles,
          ...patient,
        },
      },
      {
        // What `npm test` leaves to `.ci/run`: processes that are killed, and what takes long.
        test: {
          name: 'heavy',
          include: ['{test,packages/*/test,tools/*}/heavy/**/*.test.ts'],
          setupFiles,
          env: { AWS_SAM_LOCAL: 'true' },
          ...patient,
        },
      },
      {
        // `npm run test:browser`: the console in Chromium, each file over a local mode of its own.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/run-folder/run-folder.ts'],
          ...patient,
          // Each look at a page is a request to Chromium.
          expect: { poll: { timeout: 180_000 } },
        },
      },
      {
        // `npm run test:clients`: compilers and generators of clients, which are no npm packages.
        test: { name: 'clients', include: ['test/clients/**/*.test.ts'], ...patient },
      },
      {
        // `npm run test:deploy`: the real CDK CLI and MiniStack, which is not an npm package.
        test: {
          name: 'deploy',
          include: ['test/deploy/**/*.test.ts'],
          globalSetup: ['test/run-folder/run-folder.ts'],
          fileParallelism: false,
          // A deployment may have to wait for a visibility timeout of four and a half minutes.
          testTimeout: 480_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
