/** A list price of AWS in dollars. */
export interface Price {
  readonly dollars: number;
  /** What is paid for once. */
  readonly per: string;
  readonly source: string;
}

const price = (dollars: number, per: string, source: string): Price => ({ dollars, per, source });
const million = 1_000_000;
const notes = 'list price noted by the project';
const guide = (name: string): string => `cloudburn.io guide to ${name}, early 2026`;

/** Of us-east-1 in November 2026, on demand, the first tier; free tiers are not counted. */
export const prices = {
  gatewayRequest: price(1 / million, 'request of an HTTP API, by 512 KB', notes),
  lambdaRequest: price(0.2 / million, 'invocation', notes),
  lambdaGigabyteSecond: price(0.000_013_333_4, 'GB-second on arm64', notes),
  queueRequest: price(0.4 / million, 'SQS request, by 64 KB', notes),
  writeUnit: price(0.625 / million, 'DynamoDB write unit of 1 KB', notes),
  readUnit: price(0.125 / million, 'DynamoDB read unit of 4 KB', notes),
  busEvent: price(1 / million, 'event put on a bus, by 64 KB', notes),
  secretRead: price(5 / million, 'call of Secrets Manager', notes),
  logGigabyte: price(0.5, 'GB of log lines taken in', notes),
  archiveGigabyte: price(0.1, 'GB that an archive takes in', guide('EventBridge prices')),
  archiveGigabyteMonth: price(0.023, 'GB in an archive, per month', guide('EventBridge prices')),
  schedulerInvocation: price(1 / million, 'invocation by EventBridge Scheduler', guide('EventBridge prices')),
  secretMonth: price(0.4, 'secret, per month', "hivebook.wiki's page on Secrets Manager"),
  keyMonth: price(
    1,
    'KMS key, per month; one more for each of the first rotations',
    'aws.amazon.com/kms/pricing',
  ),
  keyRequest: price(0.03 / 10_000, 'KMS request', 'wring.co guide to KMS prices'),
  alarmMetricMonth: price(
    0.1,
    'metric that an alarm looks at, per month',
    'general knowledge; AWS bills the metric',
  ),
  logGigabyteMonth: price(
    0.03,
    'GB of log lines kept (compressed), per month',
    'wallstrdev.de on Lambda logs, 2026',
  ),
  tableGigabyteMonth: price(0.25, 'GB in a table, per month', 'aws.amazon.com/dynamodb/pricing'),
  recoveryGigabyteMonth: price(0.2, 'GB under point-in-time recovery, per month', 'general knowledge'),
} as const satisfies Readonly<Record<string, Price>>;

export type PriceName = keyof typeof prices;

/** Hours of a month as AWS bills them. */
export const hoursPerMonth = 730;
