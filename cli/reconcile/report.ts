import type { DeliveredEvent } from '../../lambdas/webhook-audit/reconcile.ts';
import type { StoredEvent } from '../../lambdas/webhook-audit/unknown-events.ts';
import { counted } from '../../operator/check-result.ts';
import { printable } from '../../operator/printable.ts';
import type { Terminal } from '../terminal.ts';
import { localText } from '../times.ts';
import type { Whereabouts } from './whereabouts.ts';

export interface Report extends Whereabouts {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
  /** Stored, and not in the history. */
  readonly unknown: readonly StoredEvent[];
  /** Whether the history covers what is stored. */
  readonly isJudged: boolean;
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
    until: new Date(report.until).toISOString(),
    stored: report.stored,
    missing: list(report.missing),
    given_up: list(report.givenUp),
    dead_letters: list(report.deadLetters),
    maybe_queued: list(report.queued),
    retrying: list(report.retrying),
    unknown: report.unknown.map(({ eventId, mode, receivedAt }) => ({
      ...{ event_id: eventId, mode, received_at: new Date(receivedAt).toISOString() },
    })),
    unknown_judged: report.isJudged,
    unreadable: report.unreadable,
    complete: report.isComplete,
  };
}

const sendAgain =
  'Have the payment service send them again, in its dashboard or by its support: its API cannot.';
const groups = [
  ['missing', 'missing', sendAgain],
  ['given up', 'given_up', `Find the cause of the status: payhooks refused. ${sendAgain}`],
  ['dead letter', 'dead_letters', 'See: payhooks dlq list'],
  ['maybe queued', 'maybe_queued', 'They may not be recorded yet: run the command again in a minute.'],
  ['retrying', 'retrying', 'They are sent again. With status 403, a key is missing here: payhooks keys add'],
] as const;

type Document = ReturnType<typeof documentOf>;

/** Answers whether anything was lost. */
function answerOf({ since, until, stored, complete, ...found }: Document): string {
  const lost = found.missing.length + found.given_up.length;
  const [from, to] = [since, until].map((time) => localText(Date.parse(time)));
  const span = `from ${from} to ${to} (UTC ${since} to ${until})`;
  const events = (count: number) =>
    `${counted(count, 'event')} of the payment service ${count === 1 ? 'is' : 'are'}`;
  if (lost > 0) return `Yes: ${events(lost)} not stored, ${span}.`;
  if (!complete || found.unreadable > 0)
    return `Not known: the history could not be read as a whole, ${span}.`;
  const open = found.dead_letters.length + found.maybe_queued.length + found.retrying.length;
  const later = open === 0 ? '' : `; not stored yet: ${open}`;
  const sent = stored + open === 0 ? 'the payment service sent no event' : `${events(stored)} stored${later}`;
  return `No, nothing was lost: ${sent}, ${span}.`;
}

export function printReport(terminal: Terminal, document: Document): void {
  terminal.print(answerOf(document));
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
  terminal.print(`${document.stored} stored, ${counts}, ${document.unknown.length} unknown to the service.`);
  for (const { event_id, mode, received_at } of document.unknown)
    terminal.print(`unknown  ${mode}  ${printable(event_id)}  received ${received_at}`);
  if (document.unknown.length > 0)
    terminal.print(
      'unknown: The payment service never sent them. Forged? docs/runbook.md#webhookauditfindings',
    );
  if (!document.unknown_judged)
    terminal.note('Whether stored events are unknown to the service was not judged.');
  for (const [state, name, advice] of groups) {
    if (document[name].length > 0) terminal.print(`${state}: ${advice}`);
  }
  if (document.unreadable > 0) {
    const which = 'have no event id, time, outcome or retry flag where payhooks expects them';
    terminal.print(`${document.unreadable} attempts ${which}: docs/assumptions.md, A16.`);
  }
  if (!document.complete) terminal.note('The history has more pages than were read; use a later --since.');
}
