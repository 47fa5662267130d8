/**
 * `STAGE=domain npm run mutation` changes the code of a stage in every small way, one change at a time, and runs
 * the tests of the stage on each. It lists the changes that no test notices, and fails below the minimum.
 */
const strict = 95;
const usual = 85;

const lambda = (folder, minimum = usual, tests = []) => ({
  mutate: [`lambdas/${folder}/**/*.ts`, '!**/handler.ts'],
  tests: [`test/lambdas/${folder}/**/*.test.ts`, ...tests.map((test) => `test/lambdas/${test}.test.ts`)],
  minimum,
});

const stages = {
  domain: {
    mutate: ['lambdas/domain/*.ts', '!**/transaction-entry.ts'],
    tests: [
      'test/lambdas/{domain/*,contract/secrets,verifier/heartbeat-signature}.test.ts',
      // The fold and the parser that the simulation has of its own.
      'tools/simulation/checker/fold.property.test.ts',
    ],
    minimum: strict,
  },
  projection: {
    ...lambda('projection', strict, ['operations/*', 'consumer/*']),
    mutate: ['lambdas/projection/*.ts', 'lambdas/domain/transaction-entry.ts'],
  },
  verifier: lambda('verifier', strict),
  consumer: lambda('consumer', strict, ['projection/histories']),
  operations: lambda('operations', usual, ['projection/histories']),
  records: lambda('records', usual, ['operations/*']),
  'order-query': lambda('order-query'),
  'order-feed': lambda('order-feed'),
  'webhook-audit': lambda('webhook-audit'),
  'token-refresh': lambda('token-refresh'),
  'http-api': lambda('http-api'),
  'payment-service': {
    mutate: ['packages/payment-service/src/**/*.ts'],
    tests: ['packages/payment-service/test/{json,client/*,simulator/*}.test.ts'],
    minimum: usual,
  },
};

const name = process.env['STAGE'] ?? '';
const stage = stages[name];
if (stage === undefined) {
  throw new Error(`STAGE is "${name}"; expected one of ${Object.keys(stages).join(', ')}.`);
}
// For vitest.mutation.ts.
process.env['MUTATION_TESTS'] = stage.tests.join(' ');

export default {
  mutate: stage.mutate,
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 30_000,
  thresholds: { high: 100, low: stage.minimum, break: stage.minimum },
  incremental: true,
  incrementalFile: `.mutation/${name}.json`,
  tempDirName: '.mutation/copies',
  cleanTempDir: 'always',
  warnings: false,
  // It would be rewritten with the API of TypeScript 6, and nothing here reads it.
  tsconfigFile: 'no-tsconfig.json',
  ignorePatterns: ['cdk.out', '/dist', 'docs/**/*.png', 'packages/*/dist'],
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true },
  allowEmpty: false,
};
