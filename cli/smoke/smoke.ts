import type { Deployed } from '../../operator/aws/deployed-resources.ts';
import { type CheckResult, failed, passed, skipped } from '../../operator/check-result.ts';
import { runHeartbeat } from '../../operator/heartbeat-run.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import type { Inspection } from '../../operator/safeguards/safeguard.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { type ClientCertificateOptions, readClientCertificate } from '../client-certificate.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { checkAlarms } from './alarm-checks.ts';
import { createCheckRunner, notInLocalMode } from './check-runner.ts';
import { checkRefusals } from './refusal-checks.ts';
import { documentOf, exitCodeOf, heartbeat, printSummary } from './report.ts';
import { checkLiveKey, checkStack, checkToken } from './stack-checks.ts';

/** Proves a stack, from CloudFormation to its alarms. Resolves with the exit code. */
export async function smoke(
  session: Session,
  options: CommonOptions & ClientCertificateOptions,
): Promise<ExitCode> {
  const { terminal, waits } = session;
  const clientCertificate = await readClientCertificate(options);
  const stack = await createTarget(session, options).stack();
  const deployment = { session, stack, clientCertificate };
  const runner = createCheckRunner(deployment, options);
  await checkStack(runner, deployment);
  await checkLiveKey(runner, deployment);
  await checkToken(runner, deployment);
  const describe = describeOnce(stack);
  await runner.run(heartbeat, async () =>
    runHeartbeat(await describe(), { onProgress: terminal.progress, waits }),
  );
  await checkRefusals(runner, deployment);
  const { deadLetterSource } = await import('../../operator/safeguards/dead-letter-source.ts');
  const { safeguards } = await import('../../operator/safeguards/safeguards.ts');
  for (const safeguard of [deadLetterSource, ...safeguards]) {
    await runner.run(safeguard.name, async () =>
      safeguard === deadLetterSource && stack.localUrl !== undefined
        ? skipped(notInLocalMode('redrive allow policies'))
        : resultOf(stack, await safeguard.inspect(await describe())),
    );
  }
  await checkAlarms(runner, deployment);
  if (options.json) terminal.json(documentOf(stack, runner.finished));
  else printSummary(terminal, runner.finished);
  return exitCodeOf(runner.finished);
}

function describeOnce(stack: Stack): () => Promise<Deployed> {
  let deployed: Promise<Deployed> | undefined;
  return async () => {
    const { describeDeployed } = await import('../../operator/aws/deployed-resources.ts');
    deployed ??= describeDeployed(stack);
    return deployed;
  };
}

function resultOf(stack: Stack, { holds, faults }: Inspection): CheckResult {
  if (faults.length === 0) return passed(holds);
  const isRepairable = faults.some(({ repair }) => repair !== undefined);
  const fixes = faults.flatMap(({ fix }) => fix ?? []);
  return failed(
    faults.map(({ message }) => message).join('; '),
    ...new Set([...(isRepairable ? [nextCommand(stack, 'payhooks repair')] : []), ...fixes]),
  );
}
