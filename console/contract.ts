import type {
  ActPlan,
  ActRequest,
  DeadLetters as DeadLettersDocument,
  DecisionRequest,
  ListedAlarm,
} from '../operator/documents.ts';

/** `GET /console/api/status` responds with a `ConsoleStatus`. */
export type {
  ActConfirmation,
  ActOutcome,
  ActPlan,
  DeadLetterGroup,
  Finding as FiringAlarm,
  ListedAlarm,
  RefusedDocument,
  RefusedGroup,
  StatusDocument as ConsoleStatus,
  UnknownPart,
} from '../operator/documents.ts';

/*
 * What the page and the server of the console exchange under `/console/api/`: types and lists of literals
 * only, because the page imports this file too.
 */

/** Every error response. With `retry_after_seconds` the same request may succeed later. */
export interface ApiProblem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly retry_after_seconds?: number;
}

/** `GET /console/api/stack`, which the page reads every second. */
export interface StackInfo {
  readonly name: string;
  readonly kind: 'local' | 'aws';
  readonly region: string;
  readonly account: string;
  readonly webhook_url: string;
  /** Changes with the page's code. */
  readonly build: string;
  /** Another number when stored data may have changed; of a deployed stack, every ten seconds. */
  readonly changes: number;
  /** The same for all consoles with one key, and known to nobody without it; absent in local mode. */
  readonly console_id?: string;
  /** Whether `/console/api/laboratory` exists. */
  readonly laboratory: boolean;
  /** `--stack NAME` or `--local URL`, for commands that the page shows. */
  readonly stack_option: string;
}

/** `GET /feed/messages?order_id=…&mode=…` of local mode: what was published about an order, oldest first. */
export interface FeedMessage {
  /** The same for every copy of a change. */
  readonly id: string;
  readonly at: string;
  readonly sequence: number;
  readonly previous_status: string | null;
  readonly status: string;
}

export type ConsoleAct = Exclude<ActRequest, { readonly act: 'erase' }> | DecisionRequest;

/** `POST /console/api/acts/plan` responds with an `ActPlan`, and changes nothing. */
export interface PlanRequest {
  readonly act: ConsoleAct;
}

/** `POST /console/api/acts/confirm` responds with an `ActConfirmation`. */
export interface ConfirmRequest extends PlanRequest {
  /** Of the plan that the operator has seen. */
  readonly shown: Pick<ActPlan, 'effect' | 'by'>;
  readonly reason: string;
  /** The response to an earlier request was lost. */
  readonly is_repetition: boolean;
}

/** `GET /console/api/dead-letters`. Looking at them hides them from others for a second: do not poll. */
export interface DeadLetters extends DeadLettersDocument {
  /** Why the errors are not known; `null` when they are. */
  readonly note: string | null;
}

/** `GET /console/api/refused?hours=…` responds with a `RefusedDocument`. */
export const refusedHours = ['1', '24', '168'] as const;

/** `GET /console/api/alarms`: every alarm of the stack, whatever its state. */
export interface AlarmList {
  readonly alarms: readonly ListedAlarm[];
}
