import { OrderClientError, ProblemError } from '../../client/index.ts';
import { MalformedSecretError } from '../../lambdas/contract/key-secret.ts';
import { isMissingPermission, isThrottled } from '../aws/outcome.ts';
import { CommandError, exitCodes, outcomeOf } from '../outcome.ts';
import type { CommonOptions } from '../session.ts';
import { type Check, type CheckResult, failed, unanswered } from './check-result.ts';
import type { Deployment } from './deployment.ts';
import { printCheck } from './print.ts';
import { suggestedFixOf } from './suggested-fix.ts';

/** Runs one check after the other, and prints each when it is known. */
export interface CheckRunner {
  readonly finished: readonly Check[];
  /** Rejects for what ends the command: credentials that AWS takes for nothing, or an error of ours. */
  run(name: string, look: () => Promise<CheckResult> | CheckResult): Promise<Check>;
}

export function createCheckRunner(deployment: Deployment, { json }: CommonOptions): CheckRunner {
  const { session } = deployment;
  const finished: Check[] = [];
  return {
    finished,
    async run(name, look) {
      if (!json) session.terminal.progress(`${name} …`);
      const seen = await Promise.resolve()
        .then(look)
        .catch((error: unknown) => resultOf(error, deployment));
      const check = { name, ...seen };
      finished.push(check);
      if (!json) printCheck(session.terminal, check);
      return check;
    },
  };
}

const unresolved =
  'the DNS has no such name: a domain of yours has to point at the output WebhookDomainTarget';

/** What an error means to one check. Throws the error when it means the same to all of them. */
function resultOf(error: unknown, deployment: Deployment): CheckResult {
  const { exitCode, says } = outcomeOf(error, deployment.session.env);
  const isOurs = error instanceof CommandError && exitCode === exitCodes.wrongUsage;
  if (isOurs) throw error;
  if (exitCode === exitCodes.unreachable) {
    const fixes = /ENOTFOUND/.test(says) ? [unresolved] : [];
    return { ...failed(says, ...fixes), exitCode };
  }
  if (isMissingPermission(error) || (error instanceof ProblemError && error.status === 403)) {
    return unanswered(says, 'payhooks smoke --help lists the permissions that it needs');
  }
  if (exitCode === exitCodes.refused) throw error;
  if (isThrottled(error)) return unanswered(says, 'run it again in a minute');
  if (error instanceof Error && '$metadata' in error) return failed(says, suggestedFixOf(error, deployment));
  const isExpected = [CommandError, OrderClientError, MalformedSecretError].some(
    (known) => error instanceof known,
  );
  if (isExpected) return failed(says);
  throw error;
}
