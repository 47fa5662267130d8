const million = 1_000_000;
const noted = 'list price noted by the project';
const eventBridgeGuide = 'cloudburn.io, early 2026';

/** Prices of us-east-1, first tier, as the source gives them: dollars, billed unit, source. */
export const prices = {
  gatewayRequest: [1 / million, 'request of an HTTP API, by 512 KB', noted],
  lambdaRequest: [0.2 / million, 'invocation', noted],
  lambdaGigabyteSecond: [13.3334 / million, 'GB-second on arm64', noted],
  queueRequest: [0.4 / million, 'SQS request, by 64 KB', noted],
  writeUnit: [0.625 / million, 'DynamoDB write unit of 1 KB; each write of a transaction takes two', noted],
  readUnit: [0.125 / million, 'DynamoDB read unit of 4 KB', noted],
  busEvent: [1 / million, 'event put on a bus, by 64 KB', noted],
  secretRead: [5 / million, 'call of Secrets Manager', noted],
  logGigabyte: [0.5, 'GB of log lines ingested', noted],
  archiveGigabyte: [0.1, 'GB ingested by an archive', eventBridgeGuide],
  archiveGigabyteMonth: [0.023, 'GB in an archive, per month', eventBridgeGuide],
  schedulerInvocation: [1 / million, 'invocation by EventBridge Scheduler', eventBridgeGuide],
  secretMonth: [0.4, 'secret, per month', 'hivebook.wiki'],
  keyMonth: [1, 'KMS key, per month, and for each of its first two rotations', 'aws.amazon.com/kms/pricing'],
  keyRequest: [3 / million, 'KMS request', 'wring.co'],
  alarmMetricMonth: [0.1, 'metric of an alarm, per month', 'general knowledge'],
  metricMonth: [0.3, 'metric of a function, per month', 'general knowledge'],
  logGigabyteMonth: [0.03, 'GB of stored log lines, per month', 'wallstrdev.de, 2026'],
  provisionedGigabyteSecond: [
    3.3334 / million,
    'GB-second on arm64 of provisioned concurrency',
    'general knowledge',
  ],
  tableGigabyteMonth: [0.25, 'GB in a table, per month', 'aws.amazon.com/dynamodb/pricing'],
  infrequentGigabyteMonth: [
    0.1,
    'GB in a table for infrequent access, per month',
    'aws.amazon.com/dynamodb/pricing',
  ],
  infrequentWriteUnit: [
    0.78125 / million,
    'DynamoDB write unit of 1 KB, infrequent access',
    'aws.amazon.com/dynamodb/pricing',
  ],
  recoveryGigabyteMonth: [0.2, 'GB under point-in-time recovery, per month', 'general knowledge'],
} as const satisfies Readonly<Record<string, readonly [dollars: number, unit: string, source: string]>>;

export type PriceName = keyof typeof prices;

/** What a quantity costs that is billed at the sum of these prices. */
export const cost = (quantity: number, ...names: readonly PriceName[]): number =>
  names.reduce((sum, name) => sum + quantity * prices[name][0], 0);

export const hoursPerMonth = 730;
export const secondsPerMonth = hoursPerMonth * 3600;

/**
 * Two other builds of this pipeline, per million events; `docs/cost.md` describes them. `npm run benchmark --
 * cost` counts the baseline.
 */
export const otherBuilds = { baseline: 11.83, floor: 2.32 } as const;
