import type { OrderChange } from '@payhooks/order-client';
import { printable } from '../../operator/printable.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Prints what an act changes in each order as a diff: the money of each transaction and the attention, with
 * `-` for what was and `+` for what is then. What stays is left out.
 */
export function printOrderChanges(terminal: Terminal, changes: readonly OrderChange[]): void {
  if (changes.length === 0) terminal.print('No order changes.');
  for (const { order_id, before, after } of changes) {
    const was = before === null ? 'new' : before.status;
    const status = was === after.status ? `stays ${was}` : `${was} -> ${after.status}`;
    terminal.print(`${terminal.style('bold', printable(order_id))}  ${status}`);
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
}

const linesOf = ({ transactions, attention }: OrderChange['after']): readonly string[] => [
  ...transactions.map(({ id, status, amount, currency }) => {
    const subject = id === null ? 'transaction without id' : `transaction ${printable(id)}`;
    const sum = [amount ?? 'unknown amount', currency ?? ''].map((part) => printable(part)).join(' ');
    return `${subject}  ${status}  ${sum.trim()}`;
  }),
  ...attention.map((name) => `attention  ${printable(name)}`),
];
