import { randomBytes } from 'node:crypto';
import { skipped } from '../../operator/check-result.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { type ClientCertificateOptions, readClientCertificate } from '../client-certificate.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { checkAlarms } from './alarm-checks.ts';
import { type CheckRunner, createCheckRunner } from './check-runner.ts';
import type { Deployment } from './deployment.ts';
import { checkKeys, type SigningKeyText } from './key-checks.ts';
import { checkOrders } from './order-checks.ts';
import { PaymentFlow } from './payment-flow.ts';
import { checkDeadLetterSource } from './queue-checks.ts';
import { documentOf, exitCodeOf, printSummary, signedPayment } from './report.ts';
import { checkSafeguards } from './safeguard-checks.ts';
import { checkForgeries } from './signature-checks.ts';
import { checkStack, checkToken } from './stack-checks.ts';
import { withTemporaryKey } from './temporary-key.ts';

interface SmokeOptions extends CommonOptions, ClientCertificateOptions {
  readonly temporarySandboxKey?: true;
}

/** Proves a stack, from CloudFormation to the order query. Resolves with the exit code. */
export async function smoke(session: Session, options: SmokeOptions): Promise<ExitCode> {
  const target = createTarget(session, options);
  const clientCertificate = await readClientCertificate(options);
  const stack = await target.stack();
  const runId = randomBytes(4).toString('hex');
  const deployment: Deployment = { session, target, stack, runId, clientCertificate };
  const runner = createCheckRunner(deployment, options);
  await checkStack(runner, deployment);
  const key = await checkKeys(runner, deployment, options);
  const work = (signing: SigningKeyText) => checkPipeline(runner, deployment, signing);
  if (key === undefined && options.temporarySandboxKey) {
    await withTemporaryKey(runner, deployment, { options, work });
  } else {
    await work(key);
  }
  await checkToken(runner, deployment);
  await checkDeadLetterSource(runner, deployment);
  await checkSafeguards(runner, deployment);
  await checkAlarms(runner, deployment);
  if (options.json) session.terminal.json(documentOf(stack, runner.finished));
  else printSummary(session.terminal, runner.finished);
  return exitCodeOf(runner.finished);
}

/** The payment goes first: after a forgery a verifier reads its keys, and then not for ten seconds. */
async function checkPipeline(
  runner: CheckRunner,
  deployment: Deployment,
  key: SigningKeyText,
): Promise<void> {
  const flow = key === undefined ? undefined : new PaymentFlow(deployment, key);
  const { status } = await runner.run(signedPayment, () =>
    flow === undefined ? skipped('there is no sandbox key to sign with') : flow.isAccepted(),
  );
  const isAccepted = status === 'passed';
  await checkForgeries(runner, deployment, isAccepted ? key : undefined);
  await checkOrders(runner, deployment, isAccepted ? flow : undefined);
}
