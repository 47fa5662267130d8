import type { EventChange, OrderChange } from '@payhooks/order-client';
import { eventText, transactionText } from '../../lambdas/domain/money-text.ts';
import { keepsState } from '../../operator/acts/act.ts';
import type { ActPlan } from '../../operator/acts/documents.ts';
import { printable, screenCharacters } from '../../operator/printable.ts';
import { idText, type Terminal } from '../terminal.ts';
import { grouped } from './groups.ts';
import type { ActOptions } from './options.ts';

/** An act may concern more events than its subject, such as a refund that waits for the same payment. */
export function printChanges(
  terminal: Terminal,
  { events, orders }: Pick<ActPlan, 'events' | 'orders'>,
  options: Pick<ActOptions, 'verbose'>,
): void {
  const isVerbose = options.verbose === true;
  const { listed, lines } = grouped(events, {
    what: 'events',
    kindOf: ({ before, after }) => `${before?.outcome ?? 'new'} -> ${after.outcome ?? 'no meaning'}`,
    isVerbose,
  });
  for (const { event_id, body_sha256, before, after, ...event } of listed) {
    const name = event_id === null ? idText(terminal, body_sha256 ?? '', 13) : idText(terminal, event_id);
    const what = event.event_name == null ? '' : `  ${printable(eventText(event))}`;
    // A judgement may change only that the event waits.
    const isOnlyJudged =
      before?.outcome === after.outcome && before.waiting !== null && after.waiting === null;
    const judged = isOnlyJudged ? ' (judged)' : '';
    if (name !== '')
      terminal.print(`event ${name}${what}  ${stateText(before)} -> ${stateText(after)}${judged}`);
  }
  for (const line of lines) terminal.print(line);
  printOrderChanges(terminal, orders, { isVerbose });
}

type EventState = EventChange['before'] & { readonly order_id?: string | null };

function stateText(state: EventState | null): string {
  if (state === null) return 'new';
  const { outcome, waiting, order_id } = state;
  const place = order_id === undefined || order_id === null ? '' : ` in ${printable(order_id)}`;
  return `${outcome ?? 'no meaning'}${place}${waiting === null ? '' : ' (waits)'}`;
}

/**
 * Prints what an act changes in each order as a diff: the money of each transaction and the attention, with
 * `-` for what was and `+` for what is then. What stays is left out.
 */
function printOrderChanges(
  terminal: Terminal,
  changes: readonly OrderChange[],
  options: { readonly isVerbose: boolean },
): void {
  if (changes.length === 0) terminal.print('No order changes.');
  const { listed, lines } = grouped(changes, {
    what: 'orders',
    unchangedOf: (change) => (keepsState(change) ? 'keep their state' : undefined),
    kindOf: statusText,
    ...options,
  });
  for (const change of listed) {
    const { order_id, before, after } = change;
    terminal.print(`${terminal.style('bold', idText(terminal, order_id))}  ${statusText(change)}`);
    const [old, next] = [before === null ? [] : linesOf(before), linesOf(after)];
    const [removed, added] = [
      old.filter((line) => !next.includes(line)),
      next.filter((line) => !old.includes(line)),
    ];
    for (const line of removed) terminal.print(terminal.style('red', `  - ${line}`));
    for (const line of added) terminal.print(terminal.style('green', `  + ${line}`));
    if (removed.length + added.length > 0) continue;
    terminal.print(`    only its history: sequence ${before?.sequence ?? 0} -> ${after.sequence}`);
  }
  for (const line of lines) terminal.print(line);
}

function statusText({ before, after }: OrderChange): string {
  const was = before === null ? 'new' : before.status;
  return was === after.status ? `stays ${was}` : `${was} -> ${after.status}`;
}

const linesOf = ({ transactions, attention }: OrderChange['after']): readonly string[] => [
  ...transactions.map((transaction) => {
    const { id } = transaction;
    const subject = id === null ? 'transaction without id' : `transaction ${printable(id)}`;
    return `${subject}  ${printable(transactionText(transaction), screenCharacters)}`;
  }),
  ...attention.map((name) => `attention  ${printable(name)}`),
];
