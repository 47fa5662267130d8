import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { type Check, type CheckOutcome, checkOutcomes, countsOf, unprovenOf } from './check.ts';

const marks = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
  unanswered: ['?', 'yellow'],
} as const satisfies Readonly<Record<CheckOutcome, readonly [string, string]>>;

const nameCharacters = 22;
const saysCharactersMax = 1_000;

/** A line for the check, and one for each thing that mends it. */
export function printCheck(terminal: Terminal, { name, outcome, says, mend }: Check): void {
  const [mark, colour] = marks[outcome];
  const text = printable(says, saysCharactersMax);
  terminal.print(`${terminal.style(colour, mark)} ${name.padEnd(nameCharacters)} ${text}`);
  for (const line of mend) terminal.print(`    → ${printable(line, saysCharactersMax)}`);
}

/** The last line: how many of each, and whether that proves the pipeline. */
export function printSummary(terminal: Terminal, checks: readonly Check[]): void {
  const counts = countsOf(checks);
  const parts = checkOutcomes.map((outcome) => `${counts[outcome]} ${outcome}`).join(', ');
  const unproven = unprovenOf(checks).map(({ name, outcome }) => `${name} ${outcome}`);
  const rest = unproven.length === 0 ? '' : `; the pipeline was not proven (${unproven.join(', ')})`;
  const isWell = counts.failed === 0 && unproven.length === 0;
  terminal.print(terminal.style(isWell ? 'bold' : 'red', `${checks.length} checks: ${parts}${rest}`));
}
