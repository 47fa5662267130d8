import { type Check, type CheckStatus, checkStatuses } from '../../operator/check-result.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import type { Terminal } from '../terminal.ts';

const marks = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
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

/** The last line: a count of each status, and whether the pipeline is proven. */
export function printSummary(terminal: Terminal, checks: readonly Check[]): void {
  const counts = countsOf(checks);
  const parts = checkStatuses.map((status) => `${counts[status]} ${status}`).join(', ');
  const unproven = unprovenOf(checks).map(({ name, status }) => `${name} ${status}`);
  const rest = unproven.length === 0 ? '' : `; the pipeline was not proven (${unproven.join(', ')})`;
  const isWell = counts.failed === 0 && unproven.length === 0;
  terminal.print(terminal.style(isWell ? 'bold' : 'red', `${checks.length} checks: ${parts}${rest}`));
}

/** The document that --json prints. */
export const documentOf = ({ name, region }: Stack, checks: readonly Check[]) => ({
  stack: name,
  region,
  proven: unprovenOf(checks).length === 0,
  checks,
  summary: countsOf(checks),
});

function countsOf(checks: readonly Check[]): Readonly<Record<CheckStatus, number>> {
  const counts = { passed: 0, failed: 0, skipped: 0, unknown: 0 };
  for (const { status } of checks) counts[status] += 1;
  return counts;
}

/** Without this check nothing is proven: an event went through the whole stack. */
export const heartbeat = 'heartbeat';

const unprovenOf = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ name, status }) => name === heartbeat && status !== 'passed');

/** `unreachable` only when that explains every failure; `done` only when the pipeline is proven. */
export function exitCodeOf(checks: readonly Check[]): ExitCode {
  const failures = checks.filter(({ status }) => status === 'failed');
  const codes = new Set(failures.map(({ exitCode }) => exitCode ?? exitCodes.failed));
  const [only = exitCodes.done, ...others] = codes;
  if (failures.length === 0 && unprovenOf(checks).length > 0) return exitCodes.failed;
  return others.length === 0 ? only : exitCodes.failed;
}
