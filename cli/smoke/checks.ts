import { OrderClientError, ProblemError } from '../../client/index.ts';
import { MalformedSecretError } from '../../lambdas/contract/key-secret.ts';
import { isMissingPermission, isThrottled } from '../aws/errors.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import { explainError } from '../explain-error.ts';
import type { CommonOptions } from '../session.ts';
import { awsMendOf } from './aws-mend.ts';
import { type Check, type Finding, failed, unanswered } from './check.ts';
import type { Deployment } from './deployment.ts';
import { printCheck } from './print.ts';

/** Runs one check after the other, and prints each when it is known. */
export interface Checks {
  readonly all: readonly Check[];
  /** Rejects for what ends the command: credentials that AWS takes for nothing, or an error of ours. */
  run(name: string, look: () => Promise<Finding> | Finding): Promise<Check>;
}

export function createChecks(deployment: Deployment, { json }: CommonOptions): Checks {
  const { session } = deployment;
  const all: Check[] = [];
  return {
    all,
    async run(name, look) {
      if (!json) session.terminal.progress(`${name} …`);
      const seen = await Promise.resolve()
        .then(look)
        .catch((error: unknown) => findingOf(error, deployment));
      const check = { name, ...seen };
      all.push(check);
      if (!json) printCheck(session.terminal, check);
      return check;
    },
  };
}

const unresolved =
  'the DNS has no such name: a domain of yours has to point at the output WebhookDomainTarget';

/** What an error means to one check. Throws the error when it means the same to all of them. */
function findingOf(error: unknown, deployment: Deployment): Finding {
  const { exitCode, message: says } = explainError(error, deployment.session.env);
  const isOurs = error instanceof CommandError && exitCode === exitCodes.wrongUsage;
  if (isOurs) throw error;
  if (exitCode === exitCodes.unreachable) {
    const mend = /ENOTFOUND/.test(says) ? [unresolved] : [];
    return { ...failed(says, ...mend), exitCode };
  }
  if (isMissingPermission(error) || (error instanceof ProblemError && error.status === 403)) {
    return unanswered(says, 'payhooks smoke --help lists the permissions that it needs');
  }
  if (exitCode === exitCodes.refused) throw error;
  if (isThrottled(error)) return unanswered(says, 'run it again in a minute');
  if (error instanceof Error && '$metadata' in error) return failed(says, awsMendOf(error, deployment));
  const isExpected = [CommandError, OrderClientError, MalformedSecretError].some(
    (known) => error instanceof known,
  );
  if (isExpected) return failed(says);
  throw error;
}
