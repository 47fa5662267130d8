import type { FaultKind } from './aws/faults.ts';
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
  /** The version that a deployment has replaced, after which everything was replayed. */
  readonly formerly: FormerVersion | undefined;
  readonly startedAt: number;
  /** When everything had drained. */
  readonly endedAt: number;
  readonly deliveries: readonly Delivery[];
  /** Every value of the secret with the private keys. */
  readonly secretValues: readonly SecretValue[];
  /** What operators called and what they got, dry runs included. */
  readonly operatorCalls: readonly HttpCall[];
  /** An order system that polled the list during the run and to its end. */
  readonly follower: Follower;
  readonly finalReads: FinalReads;
  /** All rows at the end. */
  readonly tables: Readonly<Record<TableName, readonly Row[]>>;
  /** Rows that DynamoDB deleted because their time to live had passed. */
  readonly expiredRows: readonly ExpiredRow[];
  /** What was still in a queue at the end. */
  readonly queues: Readonly<Record<QueueName, readonly QueuedMessage[]>>;
  /** Every change of a row of events. */
  readonly eventChanges: readonly EventChange[];
  /** What the feed has to publish. */
  readonly streamRecords: readonly OrderWrite[];
  /** What EventBridge accepted; a repeated request may have accepted an entry twice. */
  readonly bus: readonly BusMessage[];
  /** Every value of every metric: payhooks' own, and those of AWS for queues and functions. */
  readonly metrics: readonly MetricValue[];
  readonly invocations: readonly InvocationRecord[];
  readonly calls: readonly AwsCall[];
  /** How often each thing happened; `sometimes.ts` names what must happen. */
  readonly counters: Readonly<Record<string, number>>;
}

/** The settings that this run chose. */
export interface RunSettings {
  readonly eventRetentionDays: number | undefined;
  readonly eventMeanings: Readonly<Record<string, string>>;
  readonly signatureHeader: string;
  /** Added to the stored sequence of an order wherever it is shown. */
  readonly sequenceBase: number;
}

export interface FormerVersion {
  /** From then on none of its instances runs. */
  readonly until: number;
  /** Whether it reads transactions at other places of a payload. */
  readonly hasOtherPlaces: boolean;
  readonly eventMeanings: Readonly<Record<string, string>>;
}

/** A call of the order query or of the operations API. */
export interface HttpCall {
  readonly at: number;
  readonly endedAt: number;
  /** Operators are recorded with their acts. */
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

export interface Follower {
  readonly mode: Mode;
  /** The pages in order; each one was read with the cursor of the page before. */
  readonly pages: readonly HttpCall[];
}

/** What can be read after everything had drained. */
export interface FinalReads {
  /** `GET /orders/{id}` for every order that has a row. */
  readonly orders: readonly HttpCall[];
  /** `GET /operations/waiting`. */
  readonly waiting: readonly HttpCall[];
}

/** An item in DynamoDB's JSON: `{ "event_key": { "S": "…" } }`. */
export type Row = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export type TableName = 'events' | 'orders';
export type QueueName = 'events' | 'deadLetters' | 'feedFailures';

export interface ExpiredRow {
  readonly at: number;
  readonly table: TableName;
  readonly row: Row;
}

export interface EventChange {
  readonly at: number;
  readonly before: Row;
  readonly after: Row;
}

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
  /** As the function wrote it. */
  readonly detail: string;
}

export interface MetricValue {
  readonly at: number;
  /** The function or the queue. */
  readonly from: string;
  readonly name: string;
  readonly value: number;
}

export type InvocationEnd = 'returned' | 'threw' | 'timed_out' | 'killed';

/** Half-way through a deployment both run at once. */
export type CodeVersion = 'old' | 'new';

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

export interface AwsCall {
  readonly at: number;
  readonly stage: string;
  readonly instance: number;
  readonly operation: string;
  readonly fault: FaultKind | undefined;
  /** Whether the service carried the call out, whatever response the caller got. */
  readonly isCommitted: boolean;
}
