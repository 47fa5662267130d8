import { addClientCertificate } from '../client-certificate.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { smoke } from './smoke.ts';

const notes = `
A check has passed, failed, was skipped (with the reason), or is unknown (you lack a permission, or AWS
throttles). Suggested fixes follow a failure. Exit code 0 means that nothing failed and that a heartbeat went
through the whole stack; without one it is 1.

The stack sends the heartbeat, signed with a key of its own: it needs no private key, and leaves only rows
that expire after a day. A run adds one signature mismatch to the metric; the alarm SignatureMismatches fires
at five within an hour. Whether a private key signs what the stack accepts: payhooks send --sandbox --follow.

Permissions that you need, in addition to those of payhooks repair --dry-run:
  lambda:InvokeFunction            on the function of heartbeats
  logs:FilterLogEvents             on the output HeartbeatLogGroup
  secretsmanager:GetSecretValue    on KeySecretArn and TokenSecretArn
  sqs:GetQueueAttributes           on the three queues of the stack
  sns:ListSubscriptionsByTopic     on AlarmTopicArn and TicketTopicArn
`;

export function addSmoke({ program, action }: CommandSetup): void {
  addClientCertificate(
    program
      .command('smoke')
      .description('Prove a deployed stack: a heartbeat from end to end, refusals, keys, safeguards, alarms'),
  )
    .addHelpText(
      'after',
      notes + examplesOf('smoke --stack payhooks-production', 'smoke --json', 'smoke --local'),
    )
    .action(action(smoke));
}
