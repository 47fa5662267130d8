import * as assumed from './assumed.ts';
import { cost, type PriceName } from './prices.ts';
import { textBytes } from './units.ts';

/** The lines of a bill: the billed quantity, its title and its prices. */
const lines = [
  ['gatewayRequests', 'API Gateway, requests', 'gatewayRequest'],
  ['invocations', 'Lambda, invocations', 'lambdaRequest'],
  ['gigabyteSeconds', 'Lambda, duration', 'lambdaGigabyteSecond'],
  ['queueRequests', 'SQS, requests', 'queueRequest'],
  ['eventWrites', 'DynamoDB, writes of events', 'writeUnit'],
  ['orderWrites', 'DynamoDB, writes of orders', 'writeUnit'],
  ['indexWrites', 'DynamoDB, writes of indexes', 'writeUnit'],
  ['reads', 'DynamoDB, reads', 'readUnit'],
  ['secretReads', 'Secrets Manager, calls', 'secretRead'],
  ['scheduled', 'EventBridge Scheduler, invocations', 'schedulerInvocation'],
  ['busEvents', 'EventBridge, events on the bus', 'busEvent'],
  ['archive', 'EventBridge, archive, kept for a month', 'archiveGigabyte', 'archiveGigabyteMonth'],
  ['logs', 'CloudWatch, logs, kept for a month', 'logGigabyte', 'logGigabyteMonth'],
  ['alarmMetrics', 'CloudWatch, metrics of alarms', 'alarmMetricMonth'],
  ['ownMetrics', 'CloudWatch, own metrics', 'metricMonth'],
  ['keyRequests', 'KMS, requests', 'keyRequest'],
  ['secrets', 'Secrets Manager, secrets', 'secretMonth'],
] as const satisfies readonly (readonly [string, string, ...PriceName[]])[];

export type Usage = Readonly<Partial<Record<(typeof lines)[number][0], number>>>;

export const gigabyte = 1024 ** 3;

/** The sum of usages, each times a factor. */
export function addUsages(...parts: readonly (readonly [usage: Usage, factor: number])[]): Usage {
  const sumOfLine = (name: keyof Usage): number =>
    parts.reduce((sum, [usage, factor]) => sum + (usage[name] ?? 0) * factor, 0);
  return Object.fromEntries(lines.map(([name]) => [name, sumOfLine(name)]));
}

/** What is left to pay of a month in an account that has nothing else. */
export const aboveFree = (month: Usage): Usage =>
  Object.fromEntries(
    lines.map(([name]) => [name, Math.max(0, (month[name] ?? 0) - (assumed.freeAMonth[name] ?? 0))]),
  );

export const billOf = (usage: Usage) =>
  lines.map(([name, title, ...prices]) => ({ title, dollars: cost(usage[name] ?? 0, ...prices) }));

export const dollarsFor = (usage: Usage, times = 1): number =>
  times * billOf(usage).reduce((sum, { dollars }) => sum + dollars, 0);

/** What a bill needs of the template. */
export type BilledStack = Readonly<{ accessLogFormat: string; memoryMegabytes: Record<string, number> }>;

/** Requests of SQS are billed by 64 KB. */
export const queueRequests = (bytes: number): number => Math.max(1, Math.ceil(bytes / 65_536));

/** One invocation of a function; `records` are the messages or changes in its batch. */
export interface Invocation {
  readonly stage: assumed.Stage;
  readonly records: number;
  /** What each of its calls of AWS used. */
  readonly calls: readonly Usage[];
  readonly logBytes: number;
  /** Whether Lambda logs an invocation that went well. */
  readonly isLogged?: boolean;
  /** Of the messages in the batch. */
  readonly messageBytes?: number;
}

/** Lambda rounds each duration up to a millisecond; cold starts are spread over all invocations. */
export function gigabyteSeconds(stage: assumed.Stage, records: number, stack: BilledStack): number {
  const [one, ten] = assumed.milliseconds[stage];
  const warm = one + ((ten - one) * (records - 1)) / 9;
  const seconds = Math.ceil(warm + assumed.coldStartMilliseconds) / 1000;
  return (seconds * (stack.memoryMegabytes[stage] ?? 0)) / 1024;
}

export function usageOf(invocation: Invocation, stack: BilledStack): Usage {
  const { stage, records, calls, logBytes, isLogged = false, messageBytes = 0 } = invocation;
  const gatewayRequests = stage === 'verifier' || stage === 'order-query' ? 1 : 0;
  const value = '-'.repeat(assumed.accessLogValueBytes);
  const accessLog = textBytes(stack.accessLogFormat.replaceAll(/\$context[\w.]+/g, value));
  const ofInvocation: Usage = {
    ...{ gatewayRequests, invocations: 1, gigabyteSeconds: gigabyteSeconds(stage, records, stack) },
    // Lambda receives and deletes a batch with one request each.
    queueRequests: stage === 'consumer' ? queueRequests(messageBytes) + 1 : 0,
    // CloudWatch compresses them; by how much is not known here, so every byte counts.
    logs: (logBytes + (isLogged ? assumed.platformLogBytes : 0) + gatewayRequests * accessLog) / gigabyte,
  };
  return addUsages([ofInvocation, 1], ...calls.map((usage) => [usage, 1] as const));
}
