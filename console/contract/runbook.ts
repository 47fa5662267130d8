import type { AlarmSeverity } from '../../lambdas/contract/alarm-guide.ts';

/** `GET /console/api/runbook/{alarm}`: the alarm's section of `docs/runbook.md`. */
export interface Runbook {
  readonly alarm: string;
  readonly severity: AlarmSeverity;
  /** What to type next, complete; `null` when the section says what to look at. */
  readonly command: string | null;
  /** Whether the waiting room lists what keeps the alarm on. */
  readonly is_about_waiting: boolean;
  readonly blocks: readonly RunbookBlock[];
}

export type RunbookBlock =
  | { readonly type: 'paragraph'; readonly text: RunbookText }
  /** Commands that are complete, one a line. */
  | { readonly type: 'commands'; readonly commands: readonly string[] }
  /** Text to paste elsewhere, such as a query of a log. */
  | { readonly type: 'code'; readonly code: string }
  | { readonly type: 'list'; readonly items: readonly (readonly RunbookBlock[])[] }
  | {
      readonly type: 'table';
      readonly head: readonly RunbookText[];
      readonly rows: readonly (readonly RunbookText[])[];
    };

export type RunbookText = readonly RunbookPart[];

export type RunbookPart =
  | { readonly type: 'text'; readonly text: string }
  /** `command` is the complete command that a short form such as `payhooks reconcile` stands for. */
  | { readonly type: 'code'; readonly text: string; readonly command?: string }
  | { readonly type: 'strong' | 'emphasis'; readonly text: RunbookText }
  /** Another alarm, what waits, or a place in the documents such as `docs/cli.md#repair`. */
  | {
      readonly type: 'link';
      readonly text: RunbookText;
      readonly to:
        | { readonly type: 'alarm'; readonly name: string }
        | { readonly type: 'waiting' }
        | { readonly type: 'document'; readonly place: string };
    };
