import { runHeartbeat } from '../../operator/heartbeat-run.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import {
  addClientCertificate,
  type ClientCertificateOptions,
  readClientCertificate,
} from '../client-certificate.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import {
  firingResult,
  inspectionResult,
  liveKeyResult,
  stackResult,
  subscriptionResult,
  tokenResult,
} from './checks.ts';
import { checkForgeries, unsignedResult } from './refusal-checks.ts';
import { createCheckRunner, heartbeat, reportOf } from './report.ts';

const notes = `
A check has passed, failed, or is unknown (you lack a permission, or AWS throttles). Suggested fixes follow a
failure. Exit code 0 means that nothing failed and that a heartbeat went through the whole stack; without one
it is 1.

The stack sends the heartbeat, signed with a key of its own: it needs no private key, and leaves only rows
that expire after a day. A run adds one signature mismatch to the metric; the alarm SignatureMismatches fires
at two within an hour, at more when many webhooks arrive. Whether a private key signs what the stack accepts:
payhooks send --sandbox --follow.

Permissions that you need, in addition to those of payhooks repair --dry-run:
  lambda:InvokeFunction            on the function of heartbeats
  logs:FilterLogEvents             on the output HeartbeatLogGroup
  secretsmanager:GetSecretValue    on KeySecretArn and TokenSecretArn
  sns:ListSubscriptionsByTopic     on AlarmTopicArn and TicketTopicArn
`;

export function define({ command, action }: CommandSetup): void {
  addClientCertificate(command)
    .addHelpText(
      'after',
      notes + examplesOf('smoke --stack payhooks-production', 'smoke --json', 'smoke --local'),
    )
    .action(action(smoke));
}

/** Proves a stack, from CloudFormation to its alarms. */
async function smoke(session: Session, options: CommonOptions & ClientCertificateOptions): Promise<ExitCode> {
  const { terminal, waits, now } = session;
  const clientCertificate = await readClientCertificate(options);
  const stack = await session.stack(options);
  const { outputs, localUrl } = stack;
  const { finished, run } = createCheckRunner(session, stack, options);
  const { describeDeployed, inspect } = await import('../../operator/safeguards/inspect.ts');
  let deployed: ReturnType<typeof describeDeployed> | undefined;
  const describe = () => {
    deployed ??= describeDeployed(stack);
    return deployed;
  };

  // Local mode has no CloudFormation, no IAM and no SNS.
  const isInAws = localUrl === undefined;
  if (isInAws) await run('stack', async () => stackResult(stack));
  await run('live key', () => liveKeyResult(stack, now()));
  // A stack that uses the private key has none.
  if (outputs['TokenSecretArn']) await run('OAuth token', () => tokenResult(stack, now()));
  await run(heartbeat, async () => runHeartbeat(await describe(), { onProgress: terminal.progress, waits }));
  await checkForgeries(run, stack, clientCertificate);
  if (isInAws) await run('unsigned query', () => unsignedResult(stack));
  await run('safeguards', async () => inspectionResult(stack, await inspect(await describe())));
  await run('firing alarms', () => firingResult(stack));
  if (isInAws)
    await run('alarm subscription', () => subscriptionResult(stack, 'AlarmTopicArn', 'the alarm topic'));
  if (outputs['TicketTopicArn']) {
    await run('ticket subscription', () => subscriptionResult(stack, 'TicketTopicArn', 'the ticket topic'));
  }
  return show(session, options, reportOf(terminal, stack, finished));
}
