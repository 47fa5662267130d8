import { type Check, type CheckStatus, checkStatuses } from '../../operator/check-result.ts';
import { exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import type { Report } from '../report.ts';
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

/** Without this check nothing is proven: an event went through the whole stack. */
export const heartbeat = 'heartbeat';

/** A count of each status, and whether the pipeline is proven. */
export function reportOf(terminal: Terminal, { name, region }: Stack, checks: readonly Check[]): Report {
  const withStatus = (wanted: CheckStatus) => checks.filter(({ status }) => status === wanted);
  const counts = checkStatuses.map((status) => [status, withStatus(status).length] as const);
  const proof = checks.find((check) => check.name === heartbeat)?.status;
  const isProven = proof === 'passed';
  const codes = new Set(withStatus('failed').map(({ exitCode }) => exitCode ?? exitCodes.failed));
  const [only = isProven ? exitCodes.done : exitCodes.failed, ...others] = codes;
  return {
    document: { stack: name, region, proven: isProven, checks, summary: Object.fromEntries(counts) },
    print() {
      const parts = counts.map(([status, count]) => `${count} ${status}`).join(', ');
      const rest = isProven ? '' : `; the pipeline was not proven (${heartbeat} ${proof})`;
      const colour = isProven && codes.size === 0 ? 'bold' : 'red';
      terminal.print(terminal.style(colour, `${checks.length} checks: ${parts}${rest}`));
    },
    // Such as `unreachable`, when that explains every failure.
    exitCode: others.length === 0 ? only : exitCodes.failed,
  };
}
