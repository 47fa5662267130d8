import type { Check, CheckStatus } from '../operator/check-result.ts';
import { printable } from '../operator/printable.ts';
import type { Terminal } from './terminal.ts';

const marks = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  unknown: ['?', 'yellow'],
} as const satisfies Readonly<Record<CheckStatus, readonly [string, string]>>;

const nameCharacters = 22;
const messageCharactersMax = 1_000;

/** A line for the check, and one for each suggested fix. */
export function printCheck(terminal: Terminal, { name, status, message, fixes }: Check): void {
  const [mark, colour] = marks[status];
  const text = printable(message, messageCharactersMax);
  terminal.print(`${terminal.style(colour, mark)} ${name.padEnd(nameCharacters)} ${text}`);
  for (const line of fixes) terminal.print(`    → ${printable(line, messageCharactersMax)}`);
}
