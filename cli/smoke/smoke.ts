import { type CheckResult, skipped } from '../../operator/check-result.ts';
import { runHeartbeat } from '../../operator/heartbeat-run.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { type ClientCertificateOptions, readClientCertificate } from '../client-certificate.ts';
import { show } from '../report.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { createCheckRunner } from './check-runner.ts';
import {
  inspectionResult,
  liveKeyResult,
  quietResult,
  stackResult,
  subscriptionResult,
  tokenResult,
} from './checks.ts';
import { checkForgeries, unsignedResult } from './refusal-checks.ts';
import { documentOf, exitCodeOf, heartbeat, printSummary } from './report.ts';

/** Proves a stack, from CloudFormation to its alarms. */
export async function smoke(
  session: Session,
  options: CommonOptions & ClientCertificateOptions,
): Promise<ExitCode> {
  const { terminal, waits, now } = session;
  const clientCertificate = await readClientCertificate(options);
  const stack = await createTarget(session, options).stack();
  const { outputs, localUrl } = stack;
  const { finished, run } = createCheckRunner(session, stack, options);
  const runInAws = (name: string, what: string, check: () => Promise<CheckResult>) =>
    run(name, localUrl === undefined ? check : async () => skipped(`local mode has no ${what}`));
  const { describeDeployed, safeguardsOf } = await import('../../operator/safeguards/inspect.ts');
  let deployed: ReturnType<typeof describeDeployed> | undefined;
  const describe = () => {
    deployed ??= describeDeployed(stack);
    return deployed;
  };

  await runInAws('stack', 'CloudFormation', async () => stackResult(stack));
  await run('live key', () => liveKeyResult(stack, now()));
  // A stack that uses the private key has none.
  if (outputs['TokenSecretArn']) await run('OAuth token', () => tokenResult(stack, now()));
  await run(heartbeat, async () => runHeartbeat(await describe(), { onProgress: terminal.progress, waits }));
  await checkForgeries(run, { stack, clientCertificate });
  await runInAws('unsigned query', 'IAM', () => unsignedResult(stack));
  for (const { name, inspect } of safeguardsOf(stack)) {
    await run(name, async () => inspectionResult(stack, await inspect(await describe())));
  }
  await run('alarms are quiet', () => quietResult(stack));
  await runInAws('alarm subscription', 'SNS', () =>
    subscriptionResult(stack, 'AlarmTopicArn', 'the alarm topic'),
  );
  if (outputs['TicketTopicArn']) {
    await run('ticket subscription', () => subscriptionResult(stack, 'TicketTopicArn', 'the ticket topic'));
  }
  return show(session, options, {
    document: documentOf(stack, finished),
    print: () => printSummary(terminal, finished),
    exitCode: exitCodeOf(finished),
  });
}
