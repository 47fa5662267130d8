import { addClientCertificate } from '../client-certificate.ts';
import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { smoke } from './smoke.ts';

const notes = `
A check has passed, failed, was skipped (with the reason), or is unknown (you lack a permission, or AWS
throttles). Suggested fixes follow a failure. Exit code 0 means that nothing failed and that a signed event
was accepted and became an order. If that could not be checked, for example without a sandbox key, it is 1.

What it writes: sandbox events of orders payhooks-smoke-…, which stay in the tables and on the order feed as
sandbox. A run adds one signature mismatch to the metric, and one more if it has to wait for a new key; the
alarm SignatureMismatches fires at five within an hour.

The events are signed with the sandbox key of the stack, or with PAYHOOKS_PRIVATE_KEY if that is a sandbox
key that the stack accepts. Without a sandbox key, --temporary-sandbox-key adds a random one to the key
secret, for 15 minutes at most, and removes it at the end.

Permissions that you need:
  cloudformation:DescribeStacks, GetTemplate, ListStackResources    on the stack
  secretsmanager:GetSecretValue                                     on KeySecretArn and TokenSecretArn
  execute-api:Invoke                                                on the output OrderQueryInvokeArn
  sqs:GetQueueAttributes                                            on the output DeadLetterQueueArn
  cloudwatch:DescribeAlarms                                         on *
  sns:ListSubscriptionsByTopic                                      on AlarmTopicArn and TicketTopicArn
  dynamodb:DescribeTable, DescribeContinuousBackups, DescribeTimeToLive   on both tables
  lambda:GetEventSourceMapping, scheduler:GetSchedule               on the stack's mappings and schedules
  logs:DescribeLogGroups                                            on *
  logs:DescribeMetricFilters                                        on the stack's log groups
  --temporary-sandbox-key: secretsmanager:PutSecretValue and UpdateSecretVersionStage on KeySecretArn
`;

export function addSmoke({ program, action }: CommandSetup): void {
  const command = program
    .command('smoke')
    .description('Prove a deployed stack: keys, signatures, an order from end to end, alarms')
    .option('--temporary-sandbox-key', 'sign with a random sandbox key, removed at the end (asks first)');
  addClientCertificate(command)
    .addOption(yesOption)
    .addHelpText(
      'after',
      notes +
        examplesOf(
          'smoke --stack payhooks-production',
          'smoke --stack payhooks-production --temporary-sandbox-key --yes',
          'smoke --local',
        ),
    )
    .action(action(smoke));
}
