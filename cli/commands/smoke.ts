import { addClientCertificate } from '../client-certificate.ts';
import { addCommonOptions, addConfirmation, type CommandSetup, examplesOf } from '../options.ts';
import { smoke } from '../smoke/smoke.ts';

const teaching = `
Every check has passed, failed, was skipped (with the reason) or is unanswered (you lack a permission, or AWS
throttles). What failed comes with what mends it. Exit code 0 says that nothing failed and that a signed event
went in and came out as an order; where nobody could tell, as without a sandbox key, it is 1.

What it writes: sandbox events of orders payhooks-smoke-…, which stay in the tables and on the order feed as
sandbox. One forged signature is counted, and one more when the key was put in so recently that the run waits
for it; the alarm SignatureMismatches rings at five within an hour.

They are signed with the sandbox key of the stack, or with PAYHOOKS_PRIVATE_KEY when it is one that the stack
accepts. Without any, --temporary-sandbox-key puts a random one into the key secret, for 15 minutes at most,
and takes it out at the end.

--answers FILE asks what AWS alone can answer, such as what becomes of a body that is no UTF-8, and writes it
into FILE as JSON; docs/assumptions.md has what is expected. It asks first: some alarms will ring.

What the operator needs:
  cloudformation:DescribeStacks, ListStackResources, GetTemplate    on the stack
  secretsmanager:GetSecretValue                                     on KeySecretArn and TokenSecretArn
  execute-api:Invoke                                                on the output OrderQueryInvokeArn
  cloudwatch:DescribeAlarms                                         on *
  sns:ListSubscriptionsByTopic                                      on the output AlarmTopicArn
  iam:GetRole, GetRolePolicy, SimulatePrincipalPolicy               on the roles of the stack
  --temporary-sandbox-key: secretsmanager:PutSecretValue and UpdateSecretVersionStage on KeySecretArn
`;

export function addSmoke({ program, session, end }: CommandSetup): void {
  addClientCertificate(addConfirmation(addCommonOptions(program.command('smoke'))))
    .description('proves a deployed stack: keys, signatures, an order from end to end, alarms, permissions')
    .option('--temporary-sandbox-key', 'signs with a random sandbox key that is taken out again; asks first')
    .option('--answers <file>', 'asks what only AWS can answer and writes it into this file; asks first')
    .addHelpText(
      'after',
      teaching +
        examplesOf(
          'smoke --stack payhooks-production',
          'smoke --stack payhooks-production --temporary-sandbox-key --yes',
          'smoke --stack payhooks-development --answers answers.json',
          'smoke --local',
        ),
    )
    .action(async (options) => end(await smoke(session, options)));
}
