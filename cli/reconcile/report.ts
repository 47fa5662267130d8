import type { DeliveredEvent } from '../../lambdas/webhook-audit/reconcile.ts';
import type { Terminal } from '../terminal.ts';
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

/** What `--json` prints. */
export function documentOf(report: Report) {
  const list = (events: readonly DeliveredEvent[]) =>
    events.map(({ eventId, eventName, mode, at, status, attempts }) => ({
      event_id: eventId,
      event_name: eventName,
      mode,
      last_attempt_at: new Date(at).toISOString(),
      response_status: status,
      attempts,
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

const sendAgain =
  'Have the payment service send them again, in its dashboard or by its support: its API cannot.';
const groups = [
  ['missing', 'missing', sendAgain],
  ['given up', 'given_up', `Remove the cause of the status (payhooks status). ${sendAgain}`],
  ['dead letter', 'dead_letters', 'See: payhooks dlq list'],
  ['maybe queued', 'maybe_queued', 'The consumer may still have to record them; run the command again.'],
  ['retrying', 'retrying', 'The payment service sends them again by itself.'],
] as const;

export function printReport(terminal: Terminal, document: ReturnType<typeof documentOf>): void {
  const rows = groups.flatMap(([state, name]) =>
    document[name].map(({ event_id, event_name, mode, last_attempt_at, response_status, attempts }) => [
      ...[state, event_name ?? '-', event_id, mode, last_attempt_at],
      ...[String(response_status ?? 'none'), String(attempts)],
    ]),
  );
  if (rows.length > 0) {
    terminal.table(['STATE', 'EVENT', 'EVENT ID', 'MODE', 'LAST ATTEMPT', 'STATUS', 'ATTEMPTS'], rows);
    terminal.print('');
  }
  const counts = groups.map(([state, name]) => `${document[name].length} ${state}`).join(', ');
  terminal.print(`Since ${document.since}: ${document.stored} stored, ${counts}.`);
  for (const [state, name, advice] of groups) {
    if (document[name].length > 0) terminal.print(`${state}: ${advice}`);
  }
  if (document.unreadable > 0) {
    const which = 'have no event id, time, outcome or retry flag where payhooks expects them';
    terminal.print(`${document.unreadable} attempts ${which}: docs/assumptions.md, A16.`);
  }
  if (!document.complete) terminal.note('The history has more pages than were read; use a later --since.');
}
