import { addClientCertificate } from '../client-certificate.ts';
import { addCommonOptions, addConfirmation, type CommandSetup, examplesOf } from '../options.ts';
import { smoke } from '../smoke/smoke.ts';

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
  cloudformation:DescribeStacks, ListStackResources                 on the stack
  secretsmanager:GetSecretValue                                     on KeySecretArn and TokenSecretArn
  execute-api:Invoke                                                on the output OrderQueryInvokeArn
  cloudwatch:DescribeAlarms                                         on *
  sns:ListSubscriptionsByTopic                                      on the output AlarmTopicArn
  --temporary-sandbox-key: secretsmanager:PutSecretValue and UpdateSecretVersionStage on KeySecretArn
`;

export function addSmoke({ program, session, end }: CommandSetup): void {
  addClientCertificate(addConfirmation(addCommonOptions(program.command('smoke'))))
    .description('proves a deployed stack: keys, signatures, an order from end to end, alarms')
    .option(
      '--temporary-sandbox-key',
      'signs with a random sandbox key and removes it at the end; asks first',
    )
    .addHelpText(
      'after',
      notes +
        examplesOf(
          'smoke --stack payhooks-production',
          'smoke --stack payhooks-production --temporary-sandbox-key --yes',
          'smoke --local',
        ),
    )
    .action(async (options) => end(await smoke(session, options)));
}
