import { ProblemError } from '@payhooks/order-client';
import { isMissingPermission, isThrottled } from '../../operator/aws/errors.ts';
import { type Check, type CheckResult, failed, unknown } from '../../operator/check-result.ts';
import { explainError } from '../../operator/explain-error.ts';
import { exitCodes } from '../../operator/operator-error.ts';
import { revertDriftOf, type Stack } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { printCheck } from './report.ts';

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
    return { ...failed(message, ...(/ENOTFOUND/.test(message) ? [unresolved] : [])), exitCode };
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
