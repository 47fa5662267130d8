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

Permissions that you need:
  cloudformation:DescribeStacks, GetTemplate, ListStackResources    on the stack
  lambda:InvokeFunction                                             on the function of heartbeats
  logs:FilterLogEvents                                              on the output HeartbeatLogGroup
  secretsmanager:GetSecretValue                                     on KeySecretArn and TokenSecretArn
  sqs:GetQueueAttributes                                            on the three queues of the stack
  cloudwatch:DescribeAlarms                                         on *
  sns:ListSubscriptionsByTopic                                      on AlarmTopicArn and TicketTopicArn
  dynamodb:DescribeTable, DescribeContinuousBackups, DescribeTimeToLive   on both tables
  lambda:GetEventSourceMapping, scheduler:GetSchedule               on the stack's mappings and schedules
  logs:DescribeLogGroups                                            on *
  logs:DescribeMetricFilters                                        on the stack's log groups
`;

export function define({ command, action }: CommandSetup): void {
  addClientCertificate(command)
    .addHelpText(
      'after',
      notes + examplesOf('smoke --stack payhooks-production', 'smoke --json', 'smoke --local'),
    )
    .action(action(smoke));
}
