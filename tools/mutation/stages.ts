/** What is mutated together, and the tests that must notice it: patterns of files, from the root. */
export interface Stage {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** The share of mutants in percent that the tests must notice. */
  readonly scoreMin: number;
}

const unit = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/${name}{,.property}.test.ts`);

const stage = (folder: string, tests: readonly string[], scoreMin = 95): Stage => ({
  mutate: [`lambdas/${folder}/**/*.ts`, '!**/handler.ts'],
  tests,
  scoreMin,
});

const overTables = unit(
  '{act,judgement,operator,replay}-table*',
  'stores',
  'stamped-write',
  '{change,waiting}-index',
);

export const stages: Readonly<Record<string, Stage>> = {
  domain: stage('domain', ['test/domain/*.test.ts', ...unit('heartbeat-signature', 'key-secret')]),
  verifier: stage(
    'verifier',
    unit('verifier*', '{refusal-report,accepted-count,heartbeat-signature}', '{key-ring,uncertain-keys}'),
  ),
  consumer: stage(
    'consumer',
    // Without the proofs that take every order and every subset, and those over tables: seconds per mutant.
    [
      'test/consumer{,-calls,-conflicts,-erased,-event-names,-full-order,-left-order}.test.ts',
      'test/consumer-{judged,key-uses,report,retention}.test.ts',
      ...unit('consumer-transactions', 'classify', 'merge-facts', 'receive', 'postpone-retries'),
      ...unit('heartbeat-mode', 'operations-{interrupted,full-order}'),
    ],
  ),
  aws: stage('aws', [
    ...overTables,
    ...unit('client-options', 'dynamodb-client', 'get-items', 'secret-{reader,versions}', 'store-errors'),
    ...unit('delivery-stores', 'event-{bus,faults,forms,queue,rows}', 'store-requests', 'telemetry'),
    ...unit('compact-rows', 'packed-body', 'environment-credentials', 'postpone-retries', 'disabled-key'),
    ...unit('consumer-{key-uses,stores}', 'heartbeat-mode', 'lost-rows', '*order-waiting', 'rotated-token'),
  ]),
  ports: stage('ports', unit('operations*', 'consumer', 'token-*', 'store-errors', 'secret-reader')),
  contract: stage('contract', [
    ...unit('*-secret', 'environment', 'limits', 'heartbeat*', 'queue-message', 'operations-limits'),
    ...unit('client-certificate', 'event-meanings', 'secret-json', 'sentences', 'table-keys'),
    ...unit('consumer-stores', 'stores', 'verifier{,-log}', 'waiting-{count,index}', 'event-queue'),
    ...unit('{act,judgement}-table', 'openapi', 'operations-openapi', 'telemetry', 'order-waiting'),
    ...unit('console/runbook'),
  ]),
  'http-api': stage('http-api', unit('http-api*', 'order-list{,-cursor}')),
  'order-query': stage(
    'order-query',
    unit('order-*query*', 'order-list*', '*order-waiting', 'transaction-query'),
    90,
  ),
  'order-feed': stage('order-feed', unit('order-feed', 'order-change', 'order-status-changed'), 90),
  'webhook-audit': stage(
    'webhook-audit',
    unit('webhook-audit*', '*reconcile*', 'rotated-token', 'unreached'),
    90,
  ),
  'token-refresh': stage('token-refresh', unit('token-*'), 90),
  operations: stage(
    'operations',
    // Without two acts at once, in every order, and histories of deployments: seconds per mutant.
    unit(
      ...['operations{,-act-request,-admit*,-bodies,-dismiss,-erase,-full-order,-hostile,-interrupted}'],
      ...[
        'operations-{limits,openapi,replay,resolve,verify,waiting-cursor}',
        'replay-{arrivals,corrections,departure,event,held,judged,moved,page,rounds,rows,subject,tables}',
        'dry-run-{settlements,stores}',
      ],
    ),
    90,
  ),
  heartbeat: stage('heartbeat', unit('heartbeat*'), 90),
  'waiting-count': stage('waiting-count', unit('waiting-*'), 90),
  'payment-client': {
    mutate: ['packages/payment-service/src/{*,client/**/*}.ts'],
    tests: ['packages/payment-service/test/{json,client/*,simulator/{refusals,sender,webhooks}}.test.ts'],
    scoreMin: 90,
  },
  'payment-simulator': {
    // Without the process of the command, and the tests that start it.
    mutate: ['packages/payment-service/src/{simulator,command}/**/*.ts', '!**/simulate.ts'],
    tests: ['packages/payment-service/test/{simulator/*,command/simulate-options}.test.ts'],
    scoreMin: 95,
  },
};
