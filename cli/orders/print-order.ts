import type { Order, OrderAct } from '@payhooks/order-client';
import { attentionSentences } from '../../lambdas/contract/attention-sentences.ts';
import { printable, screenCharacters, wrapped } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

/** Prints the state of an order: each attention with its meaning, and its transactions. */
export function printState(terminal: Terminal, order: Order): void {
  const { order_id, mode, status, attention, transactions, updated_at, sequence } = order;
  const sandbox = mode === 'sandbox' ? ' in the sandbox' : '';
  terminal.print(`${printable(order_id)} is ${terminal.style('bold', status)}${sandbox}`);
  printAttention(terminal, attention);
  terminal.print(`sequence ${sequence}, changed ${updated_at}`);
  terminal.print('');
  if (transactions.length === 0) {
    terminal.print('no transaction');
    return;
  }
  terminal.table(
    ['TRANSACTION', 'STATUS', 'AMOUNT', 'CURRENCY', 'CREATED'],
    transactions.map(({ id, amount, currency, created_at, ...transaction }) =>
      [id, transaction.status, amount, currency, created_at].map((cell) => cell ?? '-'),
    ),
  );
}

function printAttention(terminal: Terminal, attention: Order['attention']): void {
  for (const name of attention) {
    // A newer stack may list a name that this version does not know.
    const meaning = attentionSentences[name] ?? '';
    for (const line of wrapped(`attention: ${printable(name)}. ${meaning}`.trim(), screenCharacters)) {
      terminal.print(terminal.style('yellow', line));
    }
  }
}

/** Prints who did what, when and why. */
export function printActs(terminal: Terminal, acts: readonly OrderAct[]): void {
  if (acts.length === 0) return;
  terminal.print('');
  terminal.table(
    ['AT', 'ACT', 'SUBJECT', 'BY', 'REASON'],
    acts.map(({ at, act, attention, event_id, order_id, by, reason }) => [
      toTheSecond(at),
      act,
      attention ?? event_id ?? order_id ?? '-',
      by.split('/').at(-1) ?? by,
      reason,
    ]),
  );
}

/** A time of the API without its milliseconds: a history with an id in each row then fits a screen. */
export const toTheSecond = (time: string | null): string => time?.replace(/\.\d+Z$/, 'Z') ?? '-';
