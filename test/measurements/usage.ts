import type { RecordedCall } from '../doubles/call-recorder.ts';
import type { Stage } from './assumptions.ts';
import type { Invocation } from './bench.ts';
import { accessLogLine, platformLines, textBytes } from './log-bytes.ts';

/** What AWS bills for, in its units. Durations are not among them: see `assumptions.ts`. */
export interface Usage {
  readonly gatewayRequests: number;
  readonly invocations: Readonly<Partial<Record<Stage, number>>>;
  /** Of SQS, by 64 KB: sends, and a receive and a delete for each batch. */
  readonly queueRequests: number;
  readonly eventWriteUnits: number;
  readonly orderWriteUnits: number;
  readonly indexWriteUnits: number;
  readonly readUnits: number;
  readonly busEvents: number;
  readonly busBytes: number;
  readonly secretReads: number;
  readonly functionLogBytes: number;
  readonly platformLogBytes: number;
  readonly accessLogBytes: number;
}

export type Quantity = Exclude<keyof Usage, 'invocations'>;

/** What the template says about the billing of an invocation. */
export interface Billing {
  readonly eventsTable: string;
  readonly memoryMegabytes: Readonly<Record<string, number>>;
  readonly accessLogFormat: string;
}

const chunks = (bytes: number, kilobytes: number): number =>
  Math.max(1, Math.ceil(bytes / (kilobytes * 1024)));

/** The units of invocations; those of stages that an API stands before count a request each. */
export function usageOf(invocations: readonly Invocation[], billing: Billing): Usage {
  return addUsages(invocations.map((one) => ofInvocation(one, billing)));
}

function ofInvocation(invocation: Invocation, billing: Billing): Usage {
  const { stage, database, calls, lines } = invocation;
  const sum = (pick: (call: Invocation['database'][number]) => number): number =>
    database.reduce((total, call) => total + pick(call), 0);
  const isEvents = (table: string): boolean => table === billing.eventsTable;
  const named = (action: string): readonly RecordedCall[] => calls.filter((call) => call.action === action);
  const sends = named('sqs:SendMessage').map(({ body }) => chunks(messageBytes(body), 64));
  const entries = named('events:PutEvents').flatMap(({ body }) => body['Entries'] as BusEntry[]);
  const answered = answerOf(invocation);
  return {
    gatewayRequests: answered === undefined ? 0 : 1,
    invocations: { [stage]: 1 },
    // A batch of ten small messages is one receive; it is deleted with one request.
    queueRequests: total(sends) + (stage === 'consumer' ? 2 : 0),
    eventWriteUnits: sum((call) => (isEvents(call.table) ? call.tableWriteUnits : 0)),
    orderWriteUnits: sum((call) => (isEvents(call.table) ? 0 : call.tableWriteUnits)),
    indexWriteUnits: sum((call) => call.indexWriteUnits),
    readUnits: sum((call) => call.readUnits),
    busEvents: total(entries.map((entry) => chunks(entryBytes(entry), 64))),
    busBytes: total(entries.map(entryBytes)),
    secretReads: named('secretsmanager:GetSecretValue').length,
    functionLogBytes: textBytes(lines.map((line) => `${line}\n`)),
    platformLogBytes: textBytes(platformLines(billing.memoryMegabytes[stage] ?? 0)),
    accessLogBytes:
      answered === undefined ? 0 : textBytes([accessLogLine(billing.accessLogFormat, answered)]),
  };
}

const routes: Readonly<Record<string, string>> = {
  verifier: 'POST /webhooks/payments',
  'order-query': 'GET /orders/{order_id}',
};

function answerOf({ stage, answer }: Invocation) {
  const routeKey = routes[stage];
  if (routeKey === undefined) return undefined;
  const { statusCode, body = '' } = answer as { statusCode: number; body?: string };
  return { routeKey, status: statusCode, responseLength: Buffer.byteLength(body) };
}

interface BusEntry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

/** As EventBridge counts an entry with a time. */
const entryBytes = ({ Source, DetailType, Detail }: BusEntry): number =>
  14 + textBytes([Source, DetailType, Detail]);

/** The body of a message and its attributes, each with name, type and value. */
export function messageBytes(body: Readonly<Record<string, unknown>>): number {
  const attributes = Object.entries(
    (body['MessageAttributes'] ?? {}) as Readonly<Record<string, MessageAttribute>>,
  );
  const parts = attributes.flatMap(([name, { DataType, StringValue }]) => [name, DataType, StringValue]);
  return textBytes([String(body['MessageBody']), ...parts]);
}

interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue: string;
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const nothing: Usage = {
  gatewayRequests: 0,
  invocations: {},
  queueRequests: 0,
  eventWriteUnits: 0,
  orderWriteUnits: 0,
  indexWriteUnits: 0,
  readUnits: 0,
  busEvents: 0,
  busBytes: 0,
  secretReads: 0,
  functionLogBytes: 0,
  platformLogBytes: 0,
  accessLogBytes: 0,
};

const quantities = Object.keys(nothing).filter((name) => name !== 'invocations') as readonly Quantity[];

export function addUsages(usages: readonly Usage[]): Usage {
  return usages.reduce((sum, usage) => combine(sum, usage, (a, b) => a + b), nothing);
}

export const timesUsage = (usage: Usage, factor: number): Usage =>
  combine(nothing, usage, (_, b) => b * factor);

function combine(left: Usage, right: Usage, join: (a: number, b: number) => number): Usage {
  const stages = Object.keys({ ...left.invocations, ...right.invocations }) as Stage[];
  const invocations = Object.fromEntries(
    stages.map((stage) => [stage, join(left.invocations[stage] ?? 0, right.invocations[stage] ?? 0)]),
  );
  const counted = quantities.map((name) => [name, join(left[name], right[name])]);
  return { ...(Object.fromEntries(counted) as Omit<Usage, 'invocations'>), invocations };
}
