import { defineConfig } from 'vitest/config';

/** The tests of one stage of `stryker.config.mjs`. */
export default defineConfig({
  test: {
    include: (process.env['MUTATION_TESTS'] ?? '').split(' '),
    exclude: ['**/node_modules/**', '**/heavy/**'],
    setupFiles: ['test/setup/few-inputs.ts', 'test/setup/leave-no-trace.ts'],
    reporters: [],
    testTimeout: 30_000,
  },
});
