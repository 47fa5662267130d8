import { ProblemError } from '@payhooks/order-client';
import { isMissingPermission, isThrottled } from '../../operator/aws/errors.ts';
import {
  type Check,
  type CheckResult,
  type CheckStatus,
  checkStatuses,
  failed,
  unknown,
} from '../../operator/check-result.ts';
import { explainError } from '../../operator/explain-error.ts';
import { runHeartbeat } from '../../operator/heartbeat-run.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { revertDriftOf, type Stack } from '../../operator/stack/stack.ts';
import {
  addClientCertificate,
  type ClientCertificateOptions,
  readClientCertificate,
} from '../client-certificate.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { printCheck } from '../print-check.ts';
import { type CommonOptions, type Report, type Session, show } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import {
  checkForgeries,
  firingResult,
  inspectionResult,
  liveKeyResult,
  type RunCheck,
  stackResult,
  subscriptionResult,
  tokenResult,
  unsignedResult,
} from './checks.ts';

const notes = `
A check has passed, failed, or is unknown (you lack a permission, or AWS throttles). Suggested fixes follow a
failure. Exit code 0 means that nothing failed and that a heartbeat went through the whole stack; without one
it is 1.

The stack sends the heartbeat, signed with a key of its own: it needs no private key, and leaves only rows
that expire after a day. A run adds one signature mismatch to the metric; the alarm WebhooksRefused fires
at two within an hour, at more when many webhooks arrive. Whether a private key signs what the stack accepts:
payhooks send --sandbox --follow.

Permissions that you need, in addition to those of payhooks repair --dry-run:
  lambda:InvokeFunction            on the function of heartbeats
  logs:FilterLogEvents             on the output HeartbeatReturnLogGroup
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

/** Runs one check after the other, and prints each when it has finished. */
function createCheckRunner({ terminal, env }: Session, stack: Stack, { json }: CommonOptions) {
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
    return failed(message, ...(/ENOTFOUND/.test(message) ? [unresolved] : []));
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

/** Without this check nothing is proven: an event went through the whole stack. */
const heartbeat = 'heartbeat';

/** A count of each status, and whether the pipeline is proven. */
function reportOf(terminal: Terminal, { name, region }: Stack, checks: readonly Check[]): Report {
  const withStatus = (wanted: CheckStatus) => checks.filter(({ status }) => status === wanted);
  const counts = checkStatuses.map((status) => [status, withStatus(status).length] as const);
  const proof = checks.find((check) => check.name === heartbeat)?.status;
  const isProven = proof === 'passed';
  const isDone = isProven && withStatus('failed').length === 0;
  return {
    document: { stack: name, region, proven: isProven, checks, summary: Object.fromEntries(counts) },
    print() {
      const parts = counts.map(([status, count]) => `${count} ${status}`).join(', ');
      const rest = isProven ? '' : `; the pipeline was not proven (${heartbeat} ${proof})`;
      const colour = isDone ? 'bold' : 'red';
      terminal.print(terminal.style(colour, `${checks.length} checks: ${parts}${rest}`));
    },
    exitCode: isDone ? exitCodes.done : exitCodes.failed,
  };
}
