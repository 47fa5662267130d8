import { randomBytes } from 'node:crypto';
import type { ExitCode } from '../outcome.ts';
import { type ClientCertificateOptions, readClientCertificate } from '../send/client-certificate.ts';
import type { CommonOptions, Session } from '../session.ts';
import { outputOf } from '../target/stack.ts';
import { createTarget } from '../target/target.ts';
import { checkAlarms } from './alarm-checks.ts';
import { askForAnswers, confirmAnswers } from './answers/answers.ts';
import { countsOf, exitCodeOf, passed, skipped } from './check.ts';
import { type Checks, createChecks } from './checks.ts';
import type { Deployment } from './deployment.ts';
import { checkKeys, type SigningKeyText } from './key-checks.ts';
import { checkOrders } from './order-checks.ts';
import { PaymentFlow } from './payment-flow.ts';
import { checkPermissions } from './permission-checks.ts';
import { printSummary } from './print.ts';
import { checkForgeries } from './signature-checks.ts';
import { checkStack } from './stack-checks.ts';
import { putTemporaryKey, type TemporaryKey } from './temporary-key.ts';

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
  const checks = createChecks(session, options);
  await checkStack(checks, deployment);
  const key = await checkKeys(checks, deployment, options);
  const pipeline = (signing: SigningKeyText) => checkPipeline(checks, deployment, signing, options);
  if (key === undefined && options.temporarySandboxKey) {
    await withTemporaryKey(checks, deployment, options, pipeline);
  } else {
    await pipeline(key);
  }
  await checkAlarms(checks, deployment);
  await checkPermissions(checks, deployment);
  if (options.json) {
    const { name, region } = stack;
    session.terminal.json({ stack: name, region, checks: checks.all, summary: countsOf(checks.all) });
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
  const { outcome } = await checks.run('signed payment', () =>
    flow === undefined ? skipped('there is no sandbox key to sign with') : flow.isAccepted(),
  );
  const isAccepted = outcome === 'passed';
  await checkForgeries(checks, deployment, isAccepted ? key : undefined);
  await checkOrders(checks, deployment, isAccepted ? flow : undefined);
  if (file !== undefined)
    await askForAnswers(checks, deployment, { key: isAccepted ? key : undefined, file });
}

/** Whatever comes of the checks, the key is taken out behind them. */
async function withTemporaryKey(
  checks: Checks,
  deployment: Deployment,
  options: SmokeOptions,
  work: (key: SigningKeyText) => Promise<void>,
): Promise<void> {
  const { session } = deployment;
  const { openSecret } = await import('../aws/versioned-secret.ts');
  const secret = openSecret(deployment.stack, outputOf(deployment.stack, 'KeySecretArn'));
  let key: TemporaryKey | undefined;
  await checks.run('temporary key', async () => {
    key = await putTemporaryKey(deployment, secret, options);
    return passed(`${key.id} is in the key secret, until ${key.ends} at the latest`);
  });
  const put = key;
  if (put === undefined) return work(undefined);
  const unguarded = takeOutOnSignal(session, put);
  try {
    await work(put.text);
  } finally {
    unguarded();
    await checks.run('key taken out', async () => {
      await put.takeOut();
      return passed(`${put.id} is no longer in the key secret`);
    });
  }
}

/** Somebody who is tired of waiting ends the process, and no `finally` runs. Gives back what undoes it. */
function takeOutOnSignal({ terminal }: Session, key: TemporaryKey): () => void {
  const end = (signal: NodeJS.Signals): void => {
    terminal.tell(`Taking the temporary key ${key.id} out …`);
    // As a shell has it: 128 and the number of the signal.
    const ended = signal === 'SIGINT' ? 130 : 143;
    key
      .takeOut()
      .catch((error: Error) => terminal.tell(`error: ${error.message}`))
      .finally(() => process.exit(ended));
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}
