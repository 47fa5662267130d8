import type { Mode, Order, OrderAct, OrderEvents, WaitingEvent } from '@payhooks/order-client';
import { eventText, orderMoney } from '../../lambdas/domain/money-text.ts';
import { actorsOf } from '../../operator/acts/act.ts';
import { printable, screenCharacters } from '../../operator/printable.ts';
import { attentionSentences, reasonSentence } from '../../operator/sentences/reason-sentences.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { printWrapped, type Terminal } from '../terminal.ts';

/** Prints the state of an order: each attention with its meaning, and its transactions. */
export function printState(terminal: Terminal, order: Order): void {
  const { order_id, mode, status, attention, transactions, updated_at, sequence } = order;
  const sandbox = mode === 'sandbox' ? ' in the sandbox' : '';
  terminal.print(`${printable(order_id)} is ${terminal.style('bold', status)}${sandbox}`);
  for (const name of attention) {
    // A newer stack may list a name that this version does not know.
    const meaning = attentionSentences[name] ?? '';
    printWrapped(terminal, `attention: ${printable(name)}. ${meaning}`.trim(), 'yellow');
  }
  terminal.print(`sequence ${sequence}, changed ${updated_at}`);
  terminal.print('');
  if (transactions.length === 0) {
    terminal.print('no transaction');
    return;
  }
  terminal.table(
    ['TRANSACTION', 'STATUS', 'MONEY', 'CREATED'],
    transactions.map((transaction) => [
      ...[transaction.id ?? '-', transaction.status, orderMoney([transaction]) ?? '-'],
      transaction.created_at ?? '-',
    ]),
  );
}

/** Prints why the status is what it is; the attentions are printed with their meaning before. */
export function printReasons(terminal: Terminal, reasons: OrderEvents['reasons'] = []): void {
  const ofStatus = reasons.filter(({ rule }) => !(rule in attentionSentences));
  const isOneTransaction = new Set(ofStatus.map(({ transaction_id }) => transaction_id)).size === 1;
  for (const reason of ofStatus) {
    const { transaction_id, event_ids } = reason;
    const transaction = isOneTransaction || transaction_id === null ? [] : [transaction_id];
    const ids = [...transaction, ...event_ids.slice(0, shownIdsMax)].map((id) => printable(id));
    const more = event_ids.length > shownIdsMax ? ', …' : '';
    const text = `why: ${printable(reasonSentence(reason), screenCharacters)}`;
    printWrapped(terminal, ids.length === 0 ? text : `${text} ${ids.join(', ')}${more}`);
  }
}

const shownIdsMax = 3;

/** Prints each event that waits, with its reason and the next command. */
export function printWaiting(
  terminal: Terminal,
  { stack, mode }: { readonly stack: Stack; readonly mode: Mode },
  waiting: readonly WaitingEvent[],
): void {
  for (const waits of waiting) {
    const { event_id, kind, reason, received_at } = waits;
    const why = reason === null ? kind : `${kind}, ${reason}`;
    const event = `${printable(eventText(waits))} ${printable(event_id)}`;
    printWrapped(terminal, `waits: ${event} (${why}), received ${received_at}`, 'yellow');
    terminal.print(`  → ${nextCommand(stack, `payhooks events show ${shellQuoted(event_id)}`, mode)}`);
  }
}

/** Prints who did what, when and why. */
export function printActs(terminal: Terminal, acts: readonly OrderAct[]): void {
  if (acts.length === 0) return;
  terminal.print('');
  terminal.table(
    ['AT', 'ACT', 'SUBJECT', 'BY', 'REASON'],
    acts.map((done) => [
      toTheSecond(done.at),
      done.act,
      done.attention ?? done.event_id ?? done.order_id ?? '-',
      actorsOf(done),
      done.reason,
    ]),
  );
}

/** A time of the API without its milliseconds: a history with an id in each row then fits a screen. */
export const toTheSecond = (time: string | null): string => time?.replace(/\.\d+Z$/, 'Z') ?? '-';
