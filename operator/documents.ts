import type {
  ActResult,
  AdmitRequest,
  Attention,
  DismissRequest,
  EraseRequest,
  EventChange,
  Mode,
  OrderChange,
  ReplayRequest,
  ResolveRequest,
  WaitingCount,
} from '@payhooks/order-client';
import type { AlarmSeverity } from '../lambdas/contract/alarm-guide.ts';

/*
 * What operators read and do, as JSON: the command line prints it with `--json`, the console's server responds
 * with it, and its page shows it. Types only, because the page imports them too.
 */

/** What an operator names; whether it is a dry run, the reason and the pages are the machine's. */
type Named<Request> = Omit<Request, 'dry_run' | 'reason' | 'cursor' | 'limit'>;

/** An act of the operations API. */
export type ActRequest =
  | ({ readonly act: 'admit' } & Named<AdmitRequest>)
  | ({ readonly act: 'dismiss' } & Named<DismissRequest>)
  /** Without a sequence, the act is for the order as the plan shows it. */
  | ({ readonly act: 'resolve'; readonly attention: readonly Attention[]; readonly sequence?: number } & Omit<
      Named<ResolveRequest>,
      'sequence' | 'attention'
    >)
  | ({ readonly act: 'replay' } & Named<ReplayRequest>)
  | ({ readonly act: 'erase' } & Named<EraseRequest>);

/** What an act would do. */
export interface ActPlan {
  /** Such as `Admit evt-1?` */
  readonly question: string;
  /** What it does to orders and to what waits, or why it has nothing to do. */
  readonly sentence: string;
  readonly is_needed: boolean;
  /** What the operator agrees to, as text to compare. */
  readonly effect: string;
  /** What the operator judges, such as the order as it is. */
  readonly context: readonly string[];
  readonly mode: Mode;
  readonly events: readonly EventChange[];
  /** Only those that change. */
  readonly orders: readonly OrderChange[];
}

/** What an act did. */
export interface ActOutcome {
  /** Such as `Admitted evt-1.`, or who had done it before. */
  readonly sentence: string;
  readonly events: readonly EventChange[];
  readonly orders: readonly OrderChange[];
  /** The audit row, and whose history shows it; `null` if none was written. */
  readonly record:
    | (Pick<ActResult, 'by' | 'at' | 'reason' | 'mode'> & {
        readonly event_id: string | null;
        readonly order_id: string | null;
      })
    | null;
}

/** `changed`: nothing was done, because the plan is not what the operator has seen any more. */
export type ActConfirmation =
  | { readonly step: 'done'; readonly outcome: ActOutcome }
  | { readonly step: 'changed'; readonly plan: ActPlan };

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
  readonly unknown: readonly UnknownPart[];
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

/** What the order feed published about an order. */
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
