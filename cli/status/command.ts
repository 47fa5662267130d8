import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { faultDocument } from '../../operator/safeguards/safeguard.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { readStatus } from '../../operator/status/read-status.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { printStatus } from './report.ts';

const notes = `
Type it first when an alarm fires. For each alarm that is on it shows since when, how many events it stands
for, and the next command. Severity: now, today, this week. It also compares the stack with what was deployed,
as payhooks repair does.

Exit codes: 0 all is quiet: no alarm is on, nothing waits, heartbeats return, and the stack is as deployed; 1
otherwise. If a part of the status could not be read, it is marked with ? and the exit code is not 0.

Permissions that you need:
  cloudformation:DescribeStacks, ListStackResources   on the stack
  cloudwatch:DescribeAlarms, GetMetricData,
    GetMetricStatistics                               on *
  sqs:GetQueueAttributes                              on the stack's three queues
  execute-api:Invoke                                  on the output OperationsInvokeArn
And, to compare the stack with what was deployed, those of payhooks repair --dry-run.
`;

export function define({ command, action }: CommandSetup): void {
  command
    .addHelpText('after', notes + examplesOf('status', 'status --stack payhooks-production', 'status --json'))
    .action(action(showStatus));
}

async function showStatus(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal, env } = session;
  const stack = await session.stack(options);
  terminal.progress('Reading alarms and queues …');
  const { document, faults, error } = await readStatus(stack, { env, inspects: true, now: session.now() });
  const { firing, alarms, heartbeat_late, quiet } = document;
  const isFaulty = firing?.length || alarms?.deleted.length || heartbeat_late || faults?.length;
  return show(session, options, {
    document: { stack: stack.name, ...document, faults: faults?.map(faultDocument) ?? null },
    print() {
      printStatus(session, document, faults);
      if (faults?.length) terminal.print(`→ ${nextCommand(stack, 'payhooks repair')}`);
    },
    exitCode: quiet ? exitCodes.done : isFaulty ? exitCodes.failed : (error?.exitCode ?? exitCodes.failed),
  });
}
