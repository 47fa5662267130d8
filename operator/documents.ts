import type { WaitingCount } from '@payhooks/order-client';
import type { AlarmSeverity } from '../lambdas/contract/alarm-guide.ts';
import type { Occurrences } from './sentences/alarm-occurrences.ts';

export type * from './acts/documents.ts';

/*
 * What operators read and do, as JSON: the command line prints it with `--json`, the console's server
 * responds with it, and its page shows it. Types only, because the page imports them too.
 */

/** The status of a stack; `null` is what could not be read. */
export interface StatusDocument {
  readonly alarms: {
    readonly count: number;
    readonly without_data: readonly string[];
    readonly deleted: readonly string[];
  } | null;
  /** The most urgent first. */
  readonly firing: readonly Finding[] | null;
  readonly queues: QueueDepths | null;
  /** The kinds of which something waits, per mode. */
  readonly waiting: readonly WaitingCount[] | null;
  /** When a live event that is recorded last matched a key, to within minutes; `null` also if none has. */
  readonly last_event_at: string | null;
  readonly last_heartbeat_at: string | null;
  /** Whether more heartbeats than one have not returned; `null` if that is not known. */
  readonly heartbeat_late: boolean | null;
  readonly unknown: readonly UnknownPart[];
  /** Whether nothing at all is on, waits, is missing, or is not known. */
  readonly quiet: boolean;
}

/** About how many messages each queue holds. */
export interface QueueDepths {
  /** Acknowledged events that are not recorded yet. */
  readonly events: number;
  /** Of the oldest event, some minutes ago; `null` if the queue is empty, or if that is not known. */
  readonly oldest_event_seconds: number | null;
  readonly dead_letters: number;
  /** Changes of orders that the feed could not publish. */
  readonly feed_failures: number;
}

/** An alarm that is on, with what it stands for now and what to do first. */
export interface Finding {
  /** Without the name of the stack. */
  readonly alarm: string;
  readonly severity: AlarmSeverity;
  readonly since: string | null;
  readonly meaning: string;
  /** How many events or changes it stands for, and what these are: `3`, `dead letters`. */
  readonly count: number | null;
  readonly counted: string | null;
  /** When the oldest of them was recorded, if that is known. */
  readonly oldest_at: string | null;
  /** What put it on, and when it ends; `null` if `count` shows that, or if something missing fires it. */
  readonly occurrences: Occurrences | null;
  /** What to type next, complete; `null` when the runbook says what to look at. */
  readonly command: string | null;
  /** An address. */
  readonly runbook: string;
}

/** A part of the status that could not be read. */
export interface UnknownPart {
  readonly part: string;
  readonly message: string;
  /** Whether a permission or credentials are missing. */
  readonly not_allowed: boolean;
}

/** An alarm of the stack, whatever its state. */
export interface ListedAlarm {
  /** Without the name of the stack. */
  readonly alarm: string;
  /** `deleted`: by hand. */
  readonly state: 'ALARM' | 'OK' | 'INSUFFICIENT_DATA' | 'deleted';
  readonly severity: AlarmSeverity;
  /** When it entered its state; ISO 8601. */
  readonly since: string | null;
  /** One sentence; empty for a deleted alarm. */
  readonly meaning: string;
}

/** The messages of the dead-letter queue by their error. No customer data. */
export interface DeadLetters {
  /** About how many there are; `seen` of them were looked at. */
  readonly depth: number;
  readonly seen: number;
  /** The largest group first. */
  readonly groups: readonly DeadLetterGroup[];
}

export interface DeadLetterGroup {
  readonly error: string;
  /** A sentence; empty for an unknown error. */
  readonly meaning: string;
  readonly messages: readonly DeadLetterSummary[];
}

export interface DeadLetterSummary {
  readonly number: number;
  readonly message_id: string;
  readonly error: string;
  readonly event_id: string | null;
  readonly event_name: string | null;
  readonly order_id: string | null;
  readonly mode: string | null;
  readonly received_at: string | null;
  readonly sent_at: string;
  readonly redriven_before: boolean;
  /** The consumer of this version can never read it. */
  readonly malformed: boolean;
}

/** A task of SQS that moves dead letters back to the event queue. */
export interface Redrive {
  /** `RUNNING`, `COMPLETED`, `CANCELLING`, `CANCELLED` or `FAILED`. */
  readonly status: string;
  readonly moved: number;
  readonly to_move: number;
  readonly started_at: string;
  readonly failure_reason: string | null;
}

/** The requests for the webhook URL that got no 2xx in a time. */
export interface RefusedDocument {
  readonly since: string;
  readonly until: string;
  /** CloudWatch returned only the newest ones, so `since` is later than requested. */
  readonly is_cut: boolean;
  readonly count: number;
  /** The largest group first. */
  readonly groups: readonly RefusedGroup[];
}

interface Seen {
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
}

export interface RefusedGroup extends Seen {
  readonly reason: string;
  readonly status: number;
  /** A sentence about the reason. */
  readonly meaning: string;
  /** Who probably sent them, and what shows that. */
  readonly judgement: string;
  /** What to type next, complete. */
  readonly command: string;
  /** The most frequent ones. */
  readonly addresses: readonly RefusedAddress[];
  readonly more_addresses: number;
}

export interface RefusedAddress extends Seen {
  /** `null` until the access log shows it. */
  readonly address: string | null;
  /** Whether webhooks from there were accepted. */
  readonly accepted: boolean;
  /** The sizes of the bodies, such as `914` or `314-914`; `null` if none is known. */
  readonly bytes: string | null;
}
