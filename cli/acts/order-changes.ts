import type { OrderChange } from '@payhooks/order-client';
import { printable } from '../../operator/printable.ts';
import type { Terminal } from '../terminal.ts';

type OrderSnapshot = OrderChange['after'];

/**
 * Prints what an act changes in each order as a diff: the money of each transaction and the attention, with
 * `-` for what was and `+` for what is then. What stays is left out.
 */
export function printOrderChanges(terminal: Terminal, changes: readonly OrderChange[]): void {
  if (changes.length === 0) terminal.print('No order changes.');
  for (const change of changes) {
    const { order_id, before, after } = change;
    const was = before === null ? 'new' : before.status;
    const status = was === after.status ? `stays ${was}` : `${was} -> ${after.status}`;
    terminal.print(`${terminal.style('bold', printable(order_id))}  ${status}`);
    const lines = [moneyOf, attentionOf].flatMap((linesOf) => differences(change, linesOf));
    for (const line of lines) terminal.print(terminal.style(line.startsWith('  -') ? 'red' : 'green', line));
    if (lines.length > 0) continue;
    terminal.print(`    only its history: sequence ${before?.sequence ?? 0} -> ${after.sequence}`);
  }
}

interface Line {
  readonly subject: string;
  readonly text: string;
}

function differences(
  { before, after }: OrderChange,
  linesOf: (snapshot: OrderSnapshot) => readonly Line[],
): readonly string[] {
  const [was, is] = [before === null ? [] : linesOf(before), linesOf(after)];
  const subjects = new Set([...was, ...is].map(({ subject }) => subject));
  return [...subjects].flatMap((subject) => {
    const of = (lines: readonly Line[], sign: string) =>
      lines.filter((line) => line.subject === subject).map(({ text }) => `  ${sign} ${text}`);
    const [removed, added] = [of(was, '-'), of(is, '+')];
    const isSame = removed.map((line) => line.slice(4)).join() === added.map((line) => line.slice(4)).join();
    return isSame ? [] : [...removed, ...added];
  });
}

const moneyOf = ({ transactions }: OrderSnapshot): readonly Line[] =>
  transactions.map(({ id, status, amount, currency }) => {
    const subject = id === null ? 'transaction without id' : `transaction ${printable(id)}`;
    const sum = [amount ?? 'unknown amount', currency ?? ''].map((part) => printable(part)).join(' ');
    return { subject, text: `${subject}  ${status}  ${sum.trim()}` };
  });

const attentionOf = ({ attention }: OrderSnapshot): readonly Line[] =>
  attention.map((name) => ({ subject: name, text: `attention  ${printable(name)}` }));
