import { OrderClientError, ProblemError } from '@payhooks/order-client';
import type { ClientCertificate } from '../../lambdas/contract/client-certificate.ts';
import { MalformedSecretError } from '../../lambdas/contract/key-secret.ts';
import { isMissingPermission, isThrottled } from '../../operator/aws/errors.ts';
import { type Check, type CheckResult, failed, unknown } from '../../operator/check-result.ts';
import { explainError } from '../../operator/explain-error.ts';
import { CommandError, exitCodes } from '../../operator/operator-error.ts';
import { revertDriftOf, type Stack } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { printCheck } from './report.ts';

/** The stack under test. */
export interface Deployment {
  readonly session: Session;
  readonly stack: Stack;
  /** For a webhook API with mutual TLS. */
  readonly clientCertificate: ClientCertificate | undefined;
}

export const notInLocalMode = (what: string): string => `local mode has no ${what}`;

/** Runs one check after the other, and prints each when it has finished. */
export interface CheckRunner {
  readonly finished: readonly Check[];
  /** Rejects only for what ends the whole command: refused credentials, or an error that we do not know. */
  run(name: string, check: () => Promise<CheckResult> | CheckResult): Promise<Check>;
}

export function createCheckRunner(deployment: Deployment, { json }: CommonOptions): CheckRunner {
  const { terminal } = deployment.session;
  const finished: Check[] = [];
  return {
    finished,
    async run(name, check) {
      if (!json) terminal.progress(`${name} …`);
      const result = await Promise.resolve()
        .then(check)
        .catch((error: unknown) => resultOf(error, deployment));
      const done = { name, ...result };
      finished.push(done);
      if (!json) printCheck(terminal, done);
      return done;
    },
  };
}

/** What an error means to one check. Throws an error that would end every other check too. */
function resultOf(error: unknown, deployment: Deployment): CheckResult {
  const { exitCode, message } = explainError(error, deployment.session.env);
  if (error instanceof CommandError && exitCode === exitCodes.wrongUsage) throw error;
  if (exitCode === exitCodes.unreachable) {
    const unresolved = 'the DNS does not know this name: point your domain at the output WebhookDomainTarget';
    return { ...failed(message, ...(/ENOTFOUND/.test(message) ? [unresolved] : [])), exitCode };
  }
  if (isMissingPermission(error) || (error instanceof ProblemError && error.status === 403)) {
    return unknown(message, 'payhooks smoke --help lists the permissions that you need');
  }
  if (exitCode === exitCodes.refused) throw error;
  if (isThrottled(error)) return unknown(message, 'run it again in a minute');
  if (error instanceof Error && '$metadata' in error) {
    return failed(message, suggestedFixOf(error, deployment));
  }
  const expected = [CommandError, OrderClientError, MalformedSecretError];
  if (expected.some((known) => error instanceof known)) return failed(message);
  throw error;
}

/** A suggested fix for an error that AWS returned. */
function suggestedFixOf({ name }: Error, deployment: Deployment): string {
  if (/^ResourceNotFound|^NotFound/.test(name)) {
    return `a resource of the stack was deleted: ${revertDriftOf(deployment.stack)}`;
  }
  if (/^InvalidRequest/.test(name)) {
    return 'if the secret is marked for deletion: aws secretsmanager restore-secret --secret-id ARN';
  }
  if (/^DecryptionFailure|^KMS/.test(name)) {
    return "the secret's KMS key must exist, be enabled and allow kms:Decrypt to you and the verifier";
  }
  return 'run it again; if the error stays, see docs/runbook.md';
}
