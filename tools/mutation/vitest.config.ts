import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string =>
  fileURLToPath(new URL(`../../packages/payment-service/${path}`, import.meta.url));

/** The tests of one stage. A package is read from the copy, where its mutants are, not from node_modules. */
export default defineConfig({
  ssr: { resolve: { conditions: ['payhooks-source', 'node', 'development|production'] } },
  resolve: {
    alias: [
      { find: /^@payhooks\/payment-service$/, replacement: source('src/client/index.ts') },
      { find: /^@payhooks\/payment-service\/simulator$/, replacement: source('src/simulator/index.ts') },
      { find: /^@payhooks\/payment-service\/testing$/, replacement: source('test/testing.ts') },
    ],
  },
  test: {
    include: (process.env['MUTATION_TESTS'] ?? '').split(' '),
    exclude: ['**/node_modules/**', '**/heavy/**'],
    setupFiles: ['tools/mutation/few-inputs.ts', 'test/leave-no-trace.ts'],
    reporters: [],
    // A busy machine is no reason to call a mutant noticed.
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
