import type { WaitingCount } from '@payhooks/order-client';
import type { AlarmSeverity } from '../lambdas/contract/alarm-guide.ts';

/*
 * What the page and the server of the console exchange under `/console/api/`: types and lists of literals
 * only, because the page imports this file too.
 */

/** Every error response. `parameter` is the field or query parameter that is wrong. */
export interface ApiProblem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly parameter?: string;
}

/** `GET /console/api/stack` */
export interface StackInfo {
  readonly name: string;
  readonly kind: 'local' | 'aws';
  readonly region: string;
  readonly account: string;
  readonly webhook_url: string;
  readonly signature_header: string;
  /** Changes with the page's code. */
  readonly build: string;
  /** Of the console's server; ISO 8601. */
  readonly started_at: string;
  /** Whether `/console/api/laboratory` exists. */
  readonly laboratory: boolean;
  /** `--stack NAME` or `--local URL`, for commands that the page shows. */
  readonly stack_option: string;
}

/**
 * `GET /console/api/live`: Server-Sent Events. `hello` comes first; `changed` means that stored data may have
 * changed.
 */
export interface LiveHello {
  readonly build: string;
  readonly started_at: string;
  /** The same for all consoles with one key, and known to nobody without it; absent in local mode. */
  readonly console_id?: string;
}

/** `GET /console/api/status`: what `payhooks status --json` shows; `null` is what could not be read. */
export interface ConsoleStatus {
  readonly alarms: {
    readonly count: number;
    readonly without_data: readonly string[];
    readonly deleted: readonly string[];
  } | null;
  /** The most urgent first. */
  readonly firing: readonly FiringAlarm[] | null;
  readonly queues: {
    readonly events: number;
    /** Of the oldest event, some minutes ago; `null` if it is not known. */
    readonly oldest_event_seconds: number | null;
    readonly dead_letters: number;
    readonly feed_failures: number;
  } | null;
  /** The kinds of which something waits, per mode. */
  readonly waiting: readonly WaitingCount[] | null;
  readonly last_event_at: string | null;
  readonly last_heartbeat_at: string | null;
  readonly unknown: readonly UnknownPart[];
}

export interface FiringAlarm {
  /** Without the name of the stack. */
  readonly alarm: string;
  readonly severity: AlarmSeverity;
  readonly since: string | null;
  readonly meaning: string;
  /** How many events or changes it stands for, and what these are: `3`, `dead letters`. */
  readonly count: number | null;
  readonly counted: string | null;
  readonly oldest_at: string | null;
  /** What to type next, complete; `null` when the runbook says what to look at. */
  readonly command: string | null;
  /** An address. */
  readonly runbook: string;
}

export interface UnknownPart {
  readonly part: string;
  readonly message: string;
  /** Whether a permission or credentials are missing. */
  readonly not_allowed: boolean;
}

/** `GET /console/api/orders/{id}/messages?mode=`: what the order feed published about an order. */
export interface FeedMessages {
  /** Oldest first. */
  readonly messages: readonly FeedMessage[];
  /** How far back they were searched; ISO 8601. `null`: as far as they are kept. */
  readonly since: string | null;
  /** By the setting `logLevel` the feed logs only what it could not publish. */
  readonly failures_only: boolean;
}

export interface FeedMessage {
  /** The same for every copy of a change. */
  readonly id: string | null;
  readonly at: string;
  readonly is_published: boolean;
  readonly sequence: number | null;
  readonly previous_status: string | null;
  readonly status: string | null;
  /** Why it was not published; the feed tries again. */
  readonly error_code: string | null;
  /** The whole message; only local mode keeps it. */
  readonly body: unknown;
}

/** `GET /console/api/dead-letters`. Looking at them hides them from others for a second: do not poll. */
export interface DeadLetters {
  /** About how many there are; `seen` of them were looked at. */
  readonly depth: number;
  readonly seen: number;
  /** The largest group first. */
  readonly groups: readonly DeadLetterGroup[];
  /** Why the errors are not known; `null` when they are. */
  readonly note: string | null;
  /** The latest redrive that SQS knows. */
  readonly redrive: Redrive | null;
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

export interface Redrive {
  /** `RUNNING`, `COMPLETED`, `CANCELLING`, `CANCELLED` or `FAILED`. */
  readonly status: string;
  readonly moved: number;
  readonly to_move: number;
  readonly started_at: string;
  readonly failure_reason: string | null;
}

/**
 * `POST /console/api/dead-letters/redrive` starts to move all messages to the event queue, and responds `{}`.
 * 409 when there is none, when a redrive is active, or when some were redriven before or can never be read;
 * `again` moves those too.
 */
export interface RedriveRequest {
  readonly again?: boolean;
}

/** `GET /console/api/alarms`: every alarm of the stack, whatever its state. */
export interface AlarmList {
  readonly alarms: readonly ListedAlarm[];
}

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
