import type { DeliveredEvent } from '../../lambdas/webhook-audit/reconcile.ts';
import type { CommonOptions, Session } from '../session.ts';
import type { Whereabouts } from './whereabouts.ts';

export interface Report extends Whereabouts {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly stored: number;
  readonly givenUp: readonly DeliveredEvent[];
  readonly retrying: readonly DeliveredEvent[];
  readonly unreadable: number;
  /** Whether the history was read back to `since`. */
  readonly isComplete: boolean;
}

export function printReport(session: Session, report: Report, { json }: CommonOptions): void {
  if (json) session.terminal.json(documentOf(report));
  else printTable(session, report);
}

const sendAgain =
  'Have the payment service send them again, in its dashboard or by its support: its API cannot.';
const groups = [
  ['missing', 'missing', sendAgain],
  ['given up', 'givenUp', `Remove the cause of the status (payhooks status). ${sendAgain}`],
  ['dead letter', 'deadLetters', 'See: payhooks dlq list'],
  ['maybe queued', 'queued', 'The consumer may still have to record them; run the command again.'],
  ['retrying', 'retrying', 'The payment service sends them again by itself.'],
] as const;

function printTable({ terminal }: Session, report: Report): void {
  const since = new Date(report.since).toISOString();
  const rows = groups.flatMap(([state, name]) => report[name].map((event) => rowOf(state, event)));
  if (rows.length > 0) {
    terminal.table(['STATE', 'EVENT', 'EVENT ID', 'MODE', 'LAST ATTEMPT', 'STATUS', 'ATTEMPTS'], rows);
    terminal.print('');
  }
  const counts = groups.map(([state, name]) => `${report[name].length} ${state}`).join(', ');
  terminal.print(`Since ${since}: ${report.stored} stored, ${counts}.`);
  for (const [state, name, advice] of groups) {
    if (report[name].length > 0) terminal.print(`${state}: ${advice}`);
  }
  if (report.unreadable > 0) {
    const which = 'have no event id, time or outcome where payhooks expects them';
    terminal.print(`${report.unreadable} attempts ${which}: docs/assumptions.md, A16.`);
  }
  if (!report.isComplete) terminal.note('The history has more pages than were read; use a later --since.');
}

const rowOf = (state: string, event: DeliveredEvent): readonly string[] => [
  state,
  event.eventName ?? '-',
  event.eventId,
  event.mode,
  new Date(event.at).toISOString(),
  event.status === null ? 'none' : String(event.status),
  String(event.attempts),
];

function documentOf(report: Report) {
  const list = (events: readonly DeliveredEvent[]) =>
    events.map((event) => ({
      event_id: event.eventId,
      event_name: event.eventName,
      mode: event.mode,
      last_attempt_at: new Date(event.at).toISOString(),
      response_status: event.status,
      attempts: event.attempts,
    }));
  return {
    since: new Date(report.since).toISOString(),
    stored: report.stored,
    missing: list(report.missing),
    given_up: list(report.givenUp),
    dead_letters: list(report.deadLetters),
    maybe_queued: list(report.queued),
    retrying: list(report.retrying),
    unreadable: report.unreadable,
    complete: report.isComplete,
  };
}
