import type { Finding } from '../../operator/documents.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { findingsOf } from '../../operator/status/findings.ts';
import { readStatus, type Status } from '../../operator/status/read-status.ts';
import { statusDocument } from '../../operator/status/status-document.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { printStatus } from './report.ts';

const notes = `
Type it first when an alarm fires. For each alarm that is on it shows since when, how many events it stands
for, and the next command. Severity: now, today, this week.

Exit codes: 0 no alarm is on; 1 an alarm is on, or was deleted by hand. If a part of the status could not be
read, that part is marked with ? and the exit code is not 0.

Permissions that you need:
  cloudformation:DescribeStacks, ListStackResources   on the stack
  cloudwatch:DescribeAlarms, GetMetricStatistics      on *
  sqs:GetQueueAttributes                              on the stack's three queues
  execute-api:Invoke                                  on the output OperationsInvokeArn
`;

export function define({ command, action }: CommandSetup): void {
  command
    .addHelpText('after', notes + examplesOf('status', 'status --stack payhooks-production', 'status --json'))
    .action(action(showStatus));
}

async function showStatus(session: Session, options: CommonOptions): Promise<ExitCode> {
  const stack = await createTarget(session, options).stack();
  session.terminal.progress('Reading alarms and queues …');
  const status = await readStatus(session, stack);
  const findings = findingsOf(stack, status);
  if (options.json) session.terminal.json({ stack: stack.name, ...statusDocument(status, findings) });
  else {
    printStatus(session, status, findings);
    // Attention is of one order and raises no alarm, so it would be forgotten in a quiet night.
    const command = nextCommand(stack, 'payhooks orders list --attention');
    session.terminal.note(`Orders with a doubt about their money raise no alarm:\n→ ${command}`);
  }
  return exitCodeOf(status, findings);
}

function exitCodeOf({ alarms, unknown }: Status, findings: readonly Finding[]): ExitCode {
  const deleted = alarms?.deleted ?? [];
  if (findings.length + deleted.length > 0) return exitCodes.failed;
  return unknown[0]?.error.exitCode ?? exitCodes.done;
}
