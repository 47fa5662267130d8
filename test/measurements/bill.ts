import * as assumed from './assumptions.ts';
import { hoursPerMonth, type PriceName, prices } from './prices.ts';
import type { StackInventory } from './stack-inventory.ts';
import type { Usage } from './usage.ts';

/** One line of a bill, in dollars. */
export interface BillLine {
  readonly name: string;
  readonly dollars: number;
  /** Whether it is for telling order systems, and not for receiving and recording. */
  readonly feed?: true;
}

export const sumOf = (lines: readonly BillLine[]): number =>
  lines.reduce((sum, { dollars }) => sum + dollars, 0);

const gigabyte = 1024 ** 3;
const cost = (quantity: number, name: PriceName): number => quantity * prices[name].dollars;

/** How an invocation is billed: memory times duration, a cold start spread over all. */
export interface Durations {
  /** Milliseconds of a warm invocation, by stage. */
  readonly milliseconds: Readonly<Partial<Record<string, number>>>;
  readonly memoryMegabytes: Readonly<Record<string, number>>;
  /** Every duration times this: what follows if the assumption is wrong. */
  readonly factor?: number;
}

/** As assumed, for invocations with one record or with ten. */
export const assumedDurations = (
  memoryMegabytes: Readonly<Record<string, number>>,
  full = false,
): Durations => ({
  milliseconds: full
    ? { ...assumed.warmMilliseconds, ...assumed.fullBatchMilliseconds }
    : assumed.warmMilliseconds,
  memoryMegabytes,
});

/** Gigabyte-seconds of a usage; Lambda rounds each duration up to a millisecond. */
export function gigabyteSeconds(
  { invocations }: Pick<Usage, 'invocations'>,
  { milliseconds, memoryMegabytes, factor = 1 }: Durations,
): number {
  return Object.entries(invocations).reduce((sum, [stage, count]) => {
    const warm = milliseconds[stage];
    const memory = memoryMegabytes[stage];
    if (warm === undefined || memory === undefined) throw new Error(`No duration or memory of ${stage}.`);
    const cold = assumed.coldStartShare * assumed.coldStartMilliseconds;
    return sum + (count * Math.ceil(warm * factor + cold) * memory) / (1000 * 1024);
  }, 0);
}

/** What a usage costs, by line. */
export function billOf(usage: Usage, durations: Durations): readonly BillLine[] {
  const { invocations } = usage;
  const feed = { 'order-feed': invocations['order-feed'] ?? 0 };
  const rest = { ...invocations, 'order-feed': 0 };
  const count = (of: Usage['invocations']): number => Object.values(of).reduce((sum, one) => sum + one, 0);
  const line = (name: string, dollars: number): BillLine => ({ name, dollars });
  const ofFeed = (name: string, dollars: number): BillLine => ({ name, dollars, feed: true });
  return [
    line('API Gateway, requests', cost(usage.gatewayRequests, 'gatewayRequest')),
    line('Lambda, invocations', cost(count(rest), 'lambdaRequest')),
    line('Lambda, duration', cost(gigabyteSeconds({ invocations: rest }, durations), 'lambdaGigabyteSecond')),
    line('SQS, requests', cost(usage.queueRequests, 'queueRequest')),
    line('DynamoDB, writes of events', cost(usage.eventWriteUnits, 'writeUnit')),
    line('DynamoDB, writes of orders', cost(usage.orderWriteUnits, 'writeUnit')),
    line('DynamoDB, writes of the index of changes', cost(usage.indexWriteUnits, 'writeUnit')),
    line('DynamoDB, reads', cost(usage.readUnits, 'readUnit')),
    line('Secrets Manager, calls', cost(usage.secretReads, 'secretRead')),
    line('CloudWatch, lines of our functions', logCost(usage.functionLogBytes)),
    line('CloudWatch, lines of Lambda (START, END, REPORT)', logCost(usage.platformLogBytes)),
    line('CloudWatch, access logs', logCost(usage.accessLogBytes)),
    line('CloudWatch, all of these lines kept for a month', keptLogCost(usage)),
    ofFeed('order feed: invocations', cost(count(feed), 'lambdaRequest')),
    ofFeed(
      'order feed: duration',
      cost(gigabyteSeconds({ invocations: feed }, durations), 'lambdaGigabyteSecond'),
    ),
    ofFeed('order feed: events on the bus', cost(usage.busEvents, 'busEvent')),
    ofFeed('order feed: archive, kept for a month', archiveCost(usage.busBytes / gigabyte)),
  ];
}

const logCost = (bytes: number): number => cost(bytes / gigabyte, 'logGigabyte');

/** CloudWatch compresses what it keeps; how far is not known here, so it counts whole. */
const keptLogCost = ({ functionLogBytes, platformLogBytes, accessLogBytes }: Usage): number =>
  cost((functionLogBytes + platformLogBytes + accessLogBytes) / gigabyte, 'logGigabyteMonth');

const archiveCost = (gigabytes: number): number =>
  cost(gigabytes, 'archiveGigabyte') + cost(gigabytes, 'archiveGigabyteMonth');

/** Receives of a poller that finds nothing, per month. */
export const emptyReceivesPerMonth = (queues: number): number =>
  (queues * assumed.idlePollers * hoursPerMonth * 3600) / assumed.pollSeconds;

/** What a stack costs by the month when no webhook arrives; `auditHour` where the registration is audited. */
export function idleBill(
  inventory: StackInventory,
  durations: Durations,
  auditHour: Usage | undefined,
): readonly BillLine[] {
  const stack = [
    { name: 'alarms', dollars: cost(inventory.alarmMetrics, 'alarmMetricMonth') },
    { name: 'KMS key of the alarm topic', dollars: cost(inventory.encryptionKeys, 'keyMonth') },
    { name: 'secrets', dollars: cost(inventory.secrets, 'secretMonth') },
    { name: 'empty receives', dollars: cost(emptyReceivesPerMonth(inventory.polledQueues), 'queueRequest') },
  ];
  if (auditHour === undefined) return stack;
  const audits = (auditHour.invocations['webhook-audit'] ?? 0) * hoursPerMonth;
  const audit = hoursPerMonth * sumOf(billOf(auditHour, durations)) + cost(audits, 'schedulerInvocation');
  return [...stack, { name: 'webhook audit', dollars: audit }];
}
