import type { ReceivedEvent, ReceivedOptions } from '@payhooks/order-client';
import type { WaitingKind } from '../../lambdas/contract/metrics.ts';
import { moneyText } from '../../lambdas/domain/money-text.ts';
import { openOperations } from '../../operator/apis.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { chosenMode } from '../options.ts';
import { readList } from '../read-list.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { refuseEmptySpan } from '../times.ts';

export interface ListOptions extends CommonOptions, Pick<ReceivedOptions, 'outcome' | 'prefix'> {
  readonly waiting?: true;
  readonly kind?: WaitingKind;
  readonly order?: string;
  readonly transaction?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly sandbox?: true;
}

const pageEvents = 100;

/** All events, the one that was received last first. */
export async function listReceived(session: Session, options: ListOptions): Promise<ExitCode> {
  const { terminal } = session;
  const { outcome, prefix, order, transaction, since, until, limit } = options;
  refuseEmptySpan(since, until);
  const stack = await session.stack(options);
  const operations = openOperations(stack);
  const request: ReceivedOptions = {
    ...{ outcome, prefix, order_id: order, transaction_id: transaction, since, until },
    ...{ mode: chosenMode(options), limit: Math.min(limit, pageEvents) },
  };
  const { rows: events, hasMore } = await readList(session, {
    what: 'events',
    limit,
    request: (cursor) => operations.received({ ...request, cursor }),
    rowsOf: (page) => page.events,
  });
  return show(session, options, {
    document: { events, has_more: hasMore },
    print() {
      const [first] = events;
      if (first === undefined)
        return terminal.print(`No event${options.sandbox ? ' in the sandbox' : ''} matches.`);
      terminal.table(['RECEIVED', 'EVENT', 'AMOUNT', 'OUTCOME', 'ORDER', 'ID'], events.map(rowOf));
      terminal.note(countsOf(events));
      if (hasMore) terminal.print(`There are more: the list ends at --limit ${limit}.`);
      const command = `payhooks events show ${subjectOf(events.find(({ waiting }) => waiting) ?? first)}`;
      terminal.note(`→ ${nextCommand(stack, command, chosenMode(options))}`);
    },
  });
}

/** The time in the zone of the terminal, as `--since` and `--until` read it. */
function rowOf(event: ReceivedEvent): readonly string[] {
  const { received_at, event_name, event_id, body_sha256, order_id, outcome } = event;
  return [
    new Date(received_at).toLocaleString('sv'),
    event_name ?? '-',
    moneyText(event) ?? '-',
    event.waiting === null ? (outcome ?? '-') : `${outcome}, waits`,
    // The longest last: only the row of a hash is wider than a screen.
    ...[order_id ?? '-', event_id ?? body_sha256 ?? '-'],
  ];
}

/** Such as `12 events: 10 applied, 2 conflict`. */
function countsOf(events: readonly ReceivedEvent[]): string {
  const byOutcome = Map.groupBy(events, ({ outcome }) => outcome ?? 'damaged');
  const parts = [...byOutcome].map(([outcome, { length }]) => `${length} ${outcome}`);
  return `${events.length === 1 ? '1 event' : `${events.length} events`}: ${parts.join(', ')}`;
}

const subjectOf = ({ event_id, body_sha256 }: ReceivedEvent): string =>
  event_id === null ? `--body-sha256 ${body_sha256}` : shellQuoted(event_id);
