import type { Delivery, Mode, SecretValue } from './sent.ts';

export type * from './sent.ts';

/**
 * What one simulated run did, saw and left behind: plain data, complete enough to judge the run without
 * payhooks' own code. Every time is in milliseconds since the epoch by the world's clock, unless it says
 * otherwise; every list is in the order in which things happened.
 */
export interface History {
  readonly seed: number;
  readonly settings: RunSettings;
  /** The largest row of an order: DynamoDB's 400 KB, or far less, so that orders are full. */
  readonly orderBytesMax: number;
  /** From when on a version ran that reads bodies otherwise than the one before; it then replayed all. */
  readonly readAnewFrom: number | undefined;
  /** When the first thing happened, when faults ended, and when everything had drained. */
  readonly startedAt: number;
  readonly faultsEndedAt: number;
  readonly endedAt: number;
  /** What the payment service (and those who forge its webhooks) sent. */
  readonly deliveries: readonly Delivery[];
  /** What the function `heartbeat` sent, and the status that payhooks responded. */
  readonly heartbeats: readonly SentHeartbeat[];
  /** Every value of the secret with the private keys. */
  readonly secretValues: readonly SecretValue[];
  /** What operators called and what they got, dry runs included. */
  readonly operatorCalls: readonly HttpCall[];
  /** Messages that operators moved from the dead-letter queue back to the queue. */
  readonly redrives: readonly Redrive[];
  /** The state of order systems: a follower that polled the list during the run and to its end. */
  readonly followers: readonly Follower[];
  /** The calls of the order query after everything had drained. */
  readonly finalReads: FinalReads;
  /** All rows of both tables at the end, in DynamoDB's JSON. */
  readonly tables: { readonly events: readonly Row[]; readonly orders: readonly Row[] };
  /** Rows that DynamoDB deleted because their time to live had passed. */
  readonly expiredRows: readonly ExpiredRow[];
  readonly queues: Readonly<Record<QueueName, readonly QueuedMessage[]>>;
  /** The records of the stream of orders, in their order: what the feed has to publish. */
  readonly streamRecords: readonly OrderWrite[];
  /** What EventBridge accepted; a repeated request may have accepted an entry twice. */
  readonly bus: readonly BusMessage[];
  /** Every value of every metric: payhooks' own, and those of AWS for queues and functions. */
  readonly metrics: readonly MetricValue[];
  /** Every line that a function wrote. */
  readonly logLines: readonly LogLine[];
  readonly invocations: readonly InvocationRecord[];
  readonly calls: readonly AwsCall[];
  /** How often each thing happened that must happen sometimes; names as in `counters.ts`. */
  readonly counters: Readonly<Record<string, number>>;
}

/** The settings that this run chose. */
export interface RunSettings {
  readonly eventRetentionDays: number | undefined;
  readonly eventMeanings: Readonly<Record<string, string>>;
  readonly changesSettleSeconds: number;
  readonly signatureHeader: string;
}

export interface SentHeartbeat {
  readonly at: number;
  /** The exact bytes, as base64. */
  readonly body: string;
  readonly status: number;
}

/** A call of the order query or of the operations API. */
export interface HttpCall {
  readonly at: number;
  readonly endedAt: number;
  /** The name of the caller; operators are recorded with their acts. */
  readonly caller: string;
  readonly method: 'GET' | 'POST';
  /** With its parameters in place; `pathParameters` has them as they were before they were encoded. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly outcome: HttpOutcome;
}

export type HttpOutcome =
  | { readonly kind: 'status'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'unknown' };

export interface Redrive {
  readonly at: number;
  readonly messages: number;
}

export interface Follower {
  readonly mode: Mode;
  /** The pages in order; each one was read with the cursor of the page before. */
  readonly pages: readonly HttpCall[];
}

export interface FinalReads {
  /** `GET /orders/{id}` for every order id that any body names, in the modes in which it was sent. */
  readonly orders: readonly HttpCall[];
  /** `GET /events/{id}` for every event id. */
  readonly events: readonly HttpCall[];
  /** Every page of `GET /operations/waiting`. */
  readonly waiting: readonly HttpCall[];
}

/** An item in DynamoDB's JSON: `{ "event_key": { "S": "…" } }`. */
export type Row = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ExpiredRow {
  readonly at: number;
  readonly table: 'events' | 'orders';
  readonly row: Row;
}

export type QueueName = 'events' | 'deadLetters' | 'feedFailures';

/** A message that was still in a queue at the end. */
export interface QueuedMessage {
  readonly id: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sentAt: number;
  readonly receives: number;
}

/** A write to the row of an order. Feed failures name their records by `sequenceNumber`. */
export interface OrderWrite {
  readonly at: number;
  readonly sequenceNumber: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

export interface BusMessage {
  readonly at: number;
  readonly id: string;
  readonly source: string;
  readonly detailType: string;
  /** The detail as the function wrote it. */
  readonly detail: string;
}

export interface MetricValue {
  readonly at: number;
  /** The function or the queue. */
  readonly from: string;
  readonly name: string;
  readonly value: number;
}

export interface LogLine {
  readonly at: number;
  readonly stage: string;
  readonly text: string;
}

export type InvocationEnd = 'returned' | 'threw' | 'timed_out' | 'killed';

export interface InvocationRecord {
  readonly at: number;
  readonly endedAt: number;
  readonly stage: string;
  readonly version: CodeVersion;
  /** The number of the instance. */
  readonly instance: number;
  /** By how much its clock is ahead of the world's. */
  readonly skewMilliseconds: number;
  readonly end: InvocationEnd;
}

/** Half-way through a deployment both run at once. */
export type CodeVersion = 'old' | 'new';

export interface AwsCall {
  readonly at: number;
  readonly stage: string;
  readonly instance: number;
  readonly operation: string;
  /** The fault that the call met. */
  readonly fault: FaultKind | undefined;
  /** Whether the service carried the call out, whatever response the caller got. */
  readonly isCommitted: boolean;
}

/** The names that `@payhooks/cdk-local` gives them. */
export type FaultKind =
  | 'throttle'
  | 'error-500'
  | 'error-503'
  | 'reset-before'
  | 'reset-after'
  | 'timeout'
  | 'slow'
  | 'partial'
  | 'malformed'
  | 'repeated';
