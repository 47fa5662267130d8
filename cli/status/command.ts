import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { faultDocument } from '../../operator/safeguards/safeguard.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { findingsOf } from '../../operator/status/findings.ts';
import { readStatus } from '../../operator/status/read-status.ts';
import { statusDocument } from '../../operator/status/status-document.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { show } from '../report.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { printStatus } from './report.ts';

const notes = `
Type it first when an alarm fires. For each alarm that is on it shows since when, how many events it stands
for, and the next command. Severity: now, today, this week. It also compares the stack with what was deployed,
as payhooks repair does.

Exit codes: 0 no alarm is on, and the stack is as deployed; 1 otherwise. If a part of the status could not be
read, that part is marked with ? and the exit code is not 0.

Permissions that you need:
  cloudformation:DescribeStacks, ListStackResources   on the stack
  cloudwatch:DescribeAlarms, GetMetricStatistics      on *
  sqs:GetQueueAttributes                              on the stack's three queues
  execute-api:Invoke                                  on the output OperationsInvokeArn
And, to compare the stack with what was deployed, those of payhooks repair --dry-run.
`;

export function addStatus({ program, action }: CommandSetup): void {
  program
    .command('status')
    .description('Show which alarms are on, what they stand for, and the next command')
    .addHelpText('after', notes + examplesOf('status', 'status --stack payhooks-production', 'status --json'))
    .action(action(showStatus));
}

async function showStatus(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal, env } = session;
  const stack = await createTarget(session, options).stack();
  terminal.progress('Reading alarms and queues …');
  const status = await readStatus({ env, inspects: true }, stack);
  const findings = findingsOf(stack, status);
  return show(session, options, {
    document: {
      stack: stack.name,
      ...statusDocument(status, findings),
      faults: status.faults?.map(faultDocument) ?? null,
    },
    print() {
      printStatus(session, status, findings);
      if (status.faults?.length) terminal.print(`→ ${nextCommand(stack, 'payhooks repair')}`);
      // Attention is of one order and raises no alarm, so it would be forgotten in a quiet night.
      const command = nextCommand(stack, 'payhooks orders list --attention');
      terminal.note(`Orders with a doubt about their money raise no alarm:\n→ ${command}`);
    },
    exitCode:
      findings.length + (status.alarms?.deleted.length ?? 0) + (status.faults?.length ?? 0) > 0
        ? exitCodes.failed
        : (status.unknown[0]?.error.exitCode ?? exitCodes.done),
  });
}
