import type { WaitingItem } from '@payhooks/order-client';
import { Option } from 'commander';
import { waitingKinds } from '../../lambdas/contract/metrics.ts';
import { moneyText } from '../../lambdas/domain/money-text.ts';
import { outcomes } from '../../lambdas/ports/rows.ts';
import { openOperations } from '../../operator/apis.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { shortId } from '../../operator/printable.ts';
import { adviceOnNames, waitingSentences } from '../../operator/sentences/waiting-sentences.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { type CommandSetup, chosenMode, examplesOf, sandboxOption, sha256, wholeNumber } from '../options.ts';
import { readList } from '../read-list.ts';
import { type Session, show } from '../session.ts';
import { listedTime, pastInstant } from '../times.ts';
import { addJudgeOptions, judge } from './judge.ts';
import { type ListOptions, listReceived } from './received.ts';
import { showEvent } from './show.ts';

const hashOption = () => new Option('--body-sha256 <hash>', 'the body with this SHA-256').argParser(sha256);

/** A filter of the list of all events. */
const ofAll = (flags: string, description: string) =>
  new Option(flags, description).conflicts(['waiting', 'kind']);

const permission = '\nNeeds execute-api:Invoke on the output OperationsInvokeArn.';
const acts = `
The command shows what would change in each order, asks, and then acts. An act is kept with the event and its
orders: who, when and why. Running it again changes nothing.

Of several ids, or a --kind, it shows the sums of money first. What is judged alone, such as a conflict, is
left out and listed. After Ctrl-C or an error the same command goes on.${permission}
`;

const whatAdmitMeans = `
What it does, by kind:
  unassigned     the transaction joins the order that you name with --order
  quarantined    applied as if it were in order, in the mode of its key
  order_refused  its order is tried again
  conflict       its order gets this body; another order keeps the body that it has
  unrecognised   parsed again, by the version that is deployed now
  unsealed       recorded as if the verifier had sent it; the preview shows whether a key signed it
An event_name cannot be admitted: give the name a meaning in the setting eventMeanings, deploy, and replay.
`;

export function define({ command: events, action }: CommandSetup): void {
  events
    .command('list')
    .description('List all events, by the time of their receipt; or those that wait for a person')
    .option('--waiting', 'only those that wait for a person, by kind, oldest first')
    .addOption(new Option('--kind <kind>', 'only those that wait as this kind').choices(waitingKinds))
    .addOption(ofAll('--outcome <outcome>', 'only those with this outcome').choices(outcomes))
    .addOption(ofAll('--prefix <text>', 'only those whose event, order or transaction id begins with it'))
    .option('--order <id>', 'only those of this order')
    .option('--transaction <id>', 'only those of this transaction')
    .option(
      '--since <time>',
      'only those received (waiting ones: recorded) at this time or later',
      pastInstant,
    )
    .option('--until <time>', 'only those received (waiting ones: recorded) before this time', pastInstant)
    .option('--limit <count>', 'the most to list', wholeNumber(1, 999_999), 100)
    .addOption(sandboxOption())
    .addHelpText(
      'after',
      `
What was acknowledged and is still in a queue is not listed: payhooks status counts it.${permission}
${examplesOf('events list --since 14:00 --until 15:00', 'events list --waiting')}`,
    )
    .action(action(listEvents));

  events
    .command('show')
    .description('Show everything received under an event id')
    .argument('[id]', 'the id of the event')
    .option('--body', 'the bodies too: customer data, granted separately')
    .addOption(hashOption())
    .addOption(sandboxOption())
    .addHelpText(
      'after',
      `
A body that is not an event has no id: --body-sha256 alone shows its bytes, as --body does.${permission}
${examplesOf('events show ID', 'events show ID --body', 'events show --body-sha256 HASH')}`,
    )
    .action(action(showEvent));

  addJudgeOptions(
    events
      .command('admit')
      .description('Apply events that wait to their orders, or one to the order that you name (asks first)')
      .argument('[ids...]', 'the ids of the events; none for a body that is not an event')
      .option('--order <id>', 'the order, for an event that has none')
      .addOption(hashOption()),
  )
    .addHelpText(
      'after',
      whatAdmitMeans +
        acts +
        examplesOf(
          'events admit ID --order order-1 --reason "confirmed by phone"',
          'events admit --kind quarantined --since 2h --dry-run',
        ),
    )
    .action(action(judge('admit')));

  addJudgeOptions(
    events
      .command('dismiss')
      .description('Take events off the list of what waits without applying them (asks first)')
      .argument('[ids...]', 'the ids of the events; none for a name, or a body that is not an event')
      .option('--name <name>', 'an event name without a meaning')
      .addOption(hashOption()),
  )
    .addHelpText(
      'after',
      acts +
        examplesOf('events dismiss ID ID ID', 'events dismiss --kind unrecognised --reason "a test" --yes'),
    )
    .action(action(judge('dismiss')));
}

/** A body that is not an event has only its hash. */
function rowOf(session: Session, event: WaitingItem): readonly string[] {
  const { recorded_at, event_name, event_id, body_sha256, reason, order_id, transaction_id } = event;
  const transaction = session.terminal.isScreen ? shortId(transaction_id ?? '') : transaction_id;
  const about = [reason, order_id ?? (transaction || null)].filter((part) => part !== null).join(', ');
  const recorded = listedTime(session, recorded_at);
  const money = moneyText(event) ?? '-';
  return [recorded, event_name ?? '-', money, event_id ?? body_sha256 ?? '-', about || '-'];
}

const listEvents = (session: Session, options: ListOptions): Promise<ExitCode> =>
  options.waiting || options.kind ? listWaiting(session, options) : listReceived(session, options);

async function listWaiting(session: Session, options: ListOptions): Promise<ExitCode> {
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
      const next = [unknown, events[0]].flatMap((event) => (event ? [showCommand(event)] : []));
      for (const command of new Set(next))
        terminal.print(`→ ${nextCommand(stack, command, chosenMode(options))}`);
    },
  });
}

function printByKind(session: Session, events: readonly WaitingItem[]): void {
  const { terminal } = session;
  for (const kind of waitingKinds) {
    const rows = events.filter((event) => event.kind === kind).map((event) => rowOf(session, event));
    if (rows.length === 0) continue;
    terminal.print(terminal.style('yellow', `${kind} (${rows.length}): ${waitingSentences[kind].why}`));
    terminal.table(['RECORDED', 'EVENT', 'MONEY', 'ID', 'ABOUT'], rows);
    terminal.print('');
  }
}

function showCommand({ kind, order_id, event_id, body_sha256 }: WaitingItem): string {
  if (kind === 'attention') return `payhooks orders show ${shellQuoted(order_id ?? '')}`;
  return `payhooks events show ${event_id === null ? `--body-sha256 ${body_sha256}` : shellQuoted(event_id)}`;
}
