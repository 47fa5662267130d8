import { randomBytes } from 'node:crypto';
import { type ClientCertificateOptions, readClientCertificate } from '../client-certificate.ts';
import type { ExitCode } from '../command-error.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { checkAlarms } from './alarm-checks.ts';
import { askForAnswers, confirmAnswers } from './answers/answers.ts';
import { countsOf, exitCodeOf, signedPayment, skipped, unprovenOf } from './check.ts';
import { type Checks, createChecks } from './checks.ts';
import type { Deployment } from './deployment.ts';
import { checkKeys, type SigningKeyText } from './key-checks.ts';
import { checkOrders } from './order-checks.ts';
import { PaymentFlow } from './payment-flow.ts';
import { checkPermissions } from './permission-checks.ts';
import { printSummary } from './print.ts';
import { checkForgeries } from './signature-checks.ts';
import { checkStack } from './stack-checks.ts';
import { withTemporaryKey } from './temporary-signing.ts';
import { checkToken } from './token-check.ts';

export interface SmokeOptions extends CommonOptions, ClientCertificateOptions {
  readonly temporarySandboxKey?: true;
  /** The file that the answers of AWS are written into. */
  readonly answers?: string;
}

/** Proves a stack, from CloudFormation to the order query. Resolves with the exit code. */
export async function smoke(session: Session, options: SmokeOptions): Promise<ExitCode> {
  const target = createTarget(session, options);
  const clientCertificate = await readClientCertificate(options);
  const stack = await target.stack();
  const runId = randomBytes(4).toString('hex');
  const deployment: Deployment = { session, target, stack, runId, clientCertificate };
  if (options.answers !== undefined) await confirmAnswers(deployment, options.answers, options);
  const checks = createChecks(deployment, options);
  await checkStack(checks, deployment);
  const key = await checkKeys(checks, deployment, options);
  const pipeline = (signing: SigningKeyText) => checkPipeline(checks, deployment, signing, options);
  if (key === undefined && options.temporarySandboxKey) {
    await withTemporaryKey(checks, deployment, { options, work: pipeline });
  } else {
    await pipeline(key);
  }
  await checkToken(checks, deployment);
  await checkAlarms(checks, deployment);
  await checkPermissions(checks, deployment);
  if (options.json) {
    const { name, region } = stack;
    const proven = unprovenOf(checks.all).length === 0;
    session.terminal.json({
      stack: name,
      region,
      proven,
      checks: checks.all,
      summary: countsOf(checks.all),
    });
  } else {
    printSummary(session.terminal, checks.all);
  }
  return exitCodeOf(checks.all);
}

/** The payment goes first: what is forged makes a verifier read its keys, and then not again for a minute. */
async function checkPipeline(
  checks: Checks,
  deployment: Deployment,
  key: SigningKeyText,
  { answers: file }: SmokeOptions,
): Promise<void> {
  const flow = key === undefined ? undefined : new PaymentFlow(deployment, key);
  const { outcome } = await checks.run(signedPayment, () =>
    flow === undefined ? skipped('there is no sandbox key to sign with') : flow.isAccepted(),
  );
  const isAccepted = outcome === 'passed';
  await checkForgeries(checks, deployment, isAccepted ? key : undefined);
  await checkOrders(checks, deployment, isAccepted ? flow : undefined);
  if (file !== undefined)
    await askForAnswers(checks, deployment, { key: isAccepted ? key : undefined, file });
}
