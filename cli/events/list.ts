import type { WaitingItem } from '@payhooks/order-client';
import { type WaitingKind, waitingKinds } from '../../lambdas/contract/metrics.ts';
import { ageOf } from '../../operator/age.ts';
import { openOperations } from '../../operator/apis.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { shortId } from '../../operator/printable.ts';
import { adviceOnNames, waitingSentences } from '../../operator/sentences/waiting-sentences.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { chosenMode } from '../options.ts';
import { readList } from '../read-list.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

interface ListOptions extends CommonOptions {
  readonly kind?: WaitingKind;
  readonly order?: string;
  readonly transaction?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly sandbox?: true;
}

/** A body that is not an event has only its hash. */
function rowOf(event: WaitingItem, now: number): readonly string[] {
  const { recorded_at, event_name, event_id, body_sha256, reason, order_id, transaction_id } = event;
  const transaction = transaction_id === null ? null : shortId(transaction_id);
  const about = [reason, order_id ?? transaction].filter((part) => part !== null).join(', ');
  return [ageOf(recorded_at, now), event_name ?? '-', event_id ?? body_sha256 ?? '-', about || '-'];
}

export async function listEvents(session: Session, options: ListOptions): Promise<ExitCode> {
  const { terminal } = session;
  const stack = await session.stack(options);
  const operations = openOperations(stack);
  const { kind, order, transaction, since, until, limit } = options;
  const filters = { kind, order_id: order, transaction_id: transaction, since, until };
  const { rows: events, hasMore } = await readList(session, {
    what: 'what waits',
    limit,
    request: (cursor) => operations.waiting({ ...filters, mode: chosenMode(options), cursor }),
    rowsOf: (page) => page.events,
  });
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  return show(session, options, {
    document: { events, has_more: hasMore },
    print() {
      const where = options.sandbox ? ' in the sandbox' : '';
      if (events.length === 0) terminal.print(`Nothing${isFiltered ? ' of that' : ''} waits${where}.`);
      printByKind(session, events);
      if (hasMore) terminal.print(`More wait: the list ends at --limit ${limit}.`);
      // A name may mean that money went back: its event is looked at before anyone dismisses it.
      const unknown = events.find((event) => event.kind === 'event_name');
      if (unknown !== undefined) terminal.print(adviceOnNames);
      const next = [unknown, events[0]].flatMap((event) => (event ? [showCommand(event, options)] : []));
      for (const command of new Set(next)) terminal.print(`→ ${nextCommand(stack, command)}`);
    },
  });
}

function printByKind({ terminal, now }: Session, events: readonly WaitingItem[]): void {
  for (const kind of waitingKinds) {
    const rows = events.filter((event) => event.kind === kind).map((event) => rowOf(event, now()));
    if (rows.length === 0) continue;
    terminal.print(terminal.style('yellow', `${kind} (${rows.length}): ${waitingSentences[kind].why}`));
    terminal.table(['AGE', 'EVENT', 'ID', 'ABOUT'], rows);
    terminal.print('');
  }
}

function showCommand(item: WaitingItem, { sandbox }: ListOptions): string {
  const { kind, order_id, event_id, body_sha256 } = item;
  const mode = sandbox ? ' --sandbox' : '';
  if (kind === 'attention') return `payhooks orders show ${shellQuoted(order_id ?? '')}${mode}`;
  const subject = event_id === null ? `--body-sha256 ${body_sha256}` : shellQuoted(event_id);
  return `payhooks events show ${subject}${mode}`;
}
