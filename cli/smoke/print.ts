import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { type Check, type CheckStatus, checkStatuses, countsOf, unprovenOf } from './check-result.ts';

const marks = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
  unanswered: ['?', 'yellow'],
} as const satisfies Readonly<Record<CheckStatus, readonly [string, string]>>;

const nameCharacters = 22;
const messageCharactersMax = 1_000;

/** A line for the check, and one for each thing that mends it. */
export function printCheck(terminal: Terminal, { name, status, message, fixes }: Check): void {
  const [mark, colour] = marks[status];
  const text = printable(message, messageCharactersMax);
  terminal.print(`${terminal.style(colour, mark)} ${name.padEnd(nameCharacters)} ${text}`);
  for (const line of fixes) terminal.print(`    → ${printable(line, messageCharactersMax)}`);
}

/** The last line: how many of each, and whether that proves the pipeline. */
export function printSummary(terminal: Terminal, checks: readonly Check[]): void {
  const counts = countsOf(checks);
  const parts = checkStatuses.map((status) => `${counts[status]} ${status}`).join(', ');
  const unproven = unprovenOf(checks).map(({ name, status }) => `${name} ${status}`);
  const rest = unproven.length === 0 ? '' : `; the pipeline was not proven (${unproven.join(', ')})`;
  const isWell = counts.failed === 0 && unproven.length === 0;
  terminal.print(terminal.style(isWell ? 'bold' : 'red', `${checks.length} checks: ${parts}${rest}`));
}
