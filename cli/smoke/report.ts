import { ProblemError } from '@payhooks/order-client';
import { isMissingPermission, isThrottled } from '../../operator/aws/errors.ts';
import {
  type Check,
  type CheckResult,
  type CheckStatus,
  checkStatuses,
  failed,
  unknown,
} from '../../operator/check-result.ts';
import { explainError } from '../../operator/explain-error.ts';
import { exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { revertDriftOf, type Stack } from '../../operator/stack/stack.ts';
import type { CommonOptions, Report, Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

const marks = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  unknown: ['?', 'yellow'],
} as const satisfies Readonly<Record<CheckStatus, readonly [string, string]>>;

const nameCharacters = 22;
const messageCharactersMax = 1_000;

/** A line for the check, and one for each suggested fix. */
function printCheck(terminal: Terminal, { name, status, message, fixes }: Check): void {
  const [mark, colour] = marks[status];
  const text = printable(message, messageCharactersMax);
  terminal.print(`${terminal.style(colour, mark)} ${name.padEnd(nameCharacters)} ${text}`);
  for (const line of fixes) terminal.print(`    → ${printable(line, messageCharactersMax)}`);
}

/** Runs a check; rejects only when the credentials were refused, which ends the whole command. */
export type RunCheck = (name: string, check: () => Promise<CheckResult>) => Promise<void>;

/** Runs one check after the other, and prints each when it has finished. */
export function createCheckRunner({ terminal, env }: Session, stack: Stack, { json }: CommonOptions) {
  const finished: Check[] = [];
  const run: RunCheck = async (name, check) => {
    if (!json) terminal.progress(`${name} …`);
    const result = await check().catch((error: unknown) => resultOf(error, stack, env));
    const done = { name, ...result };
    finished.push(done);
    if (!json) printCheck(terminal, done);
  };
  return { finished, run };
}

/** What an error means to one check. Throws an error that would end every other check too. */
function resultOf(error: unknown, stack: Stack, env: NodeJS.ProcessEnv): CheckResult {
  const { exitCode, message } = explainError(error, env);
  if (exitCode === exitCodes.wrongUsage) throw error;
  if (exitCode === exitCodes.unreachable) {
    const unresolved = 'the DNS does not know this name: point your domain at the output WebhookDomainTarget';
    return failed(message, ...(/ENOTFOUND/.test(message) ? [unresolved] : []));
  }
  if (isMissingPermission(error) || (error instanceof ProblemError && error.status === 403)) {
    return unknown(message, 'payhooks smoke --help lists the permissions that you need');
  }
  if (exitCode === exitCodes.refused) throw error;
  if (isThrottled(error)) return unknown(message, 'run it again in a minute');
  const isOfAws = error instanceof Error && '$metadata' in error;
  const fix = `run it again; if something of the stack was deleted: ${revertDriftOf(stack)}`;
  return failed(message, ...(isOfAws ? [fix] : []));
}

/** Without this check nothing is proven: an event went through the whole stack. */
export const heartbeat = 'heartbeat';

/** A count of each status, and whether the pipeline is proven. */
export function reportOf(terminal: Terminal, { name, region }: Stack, checks: readonly Check[]): Report {
  const withStatus = (wanted: CheckStatus) => checks.filter(({ status }) => status === wanted);
  const counts = checkStatuses.map((status) => [status, withStatus(status).length] as const);
  const proof = checks.find((check) => check.name === heartbeat)?.status;
  const isProven = proof === 'passed';
  const isDone = isProven && withStatus('failed').length === 0;
  return {
    document: { stack: name, region, proven: isProven, checks, summary: Object.fromEntries(counts) },
    print() {
      const parts = counts.map(([status, count]) => `${count} ${status}`).join(', ');
      const rest = isProven ? '' : `; the pipeline was not proven (${heartbeat} ${proof})`;
      const colour = isDone ? 'bold' : 'red';
      terminal.print(terminal.style(colour, `${checks.length} checks: ${parts}${rest}`));
    },
    exitCode: isDone ? exitCodes.done : exitCodes.failed,
  };
}
