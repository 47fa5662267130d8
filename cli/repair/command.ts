import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { repair } from './repair.ts';

const notes = `
It compares what the stack has outside its data path with what was deployed: the event source mappings of
consumer and order feed (enabled, with reports of failures and the failure queue), deletion protection,
point-in-time recovery, expiry and stream of the tables, the log groups with their retention and key, the
metric filters, and the schedules. It shows what differs, asks, restores it and checks again. Run it as often
as you like.

What no call restores it names with its command: payhooks restore for a deleted table, npx cdk deploy
--revert-drift for a deleted mapping or schedule. payhooks smoke checks the same, and more.

Exit codes: 0 everything is as deployed; 1 something is not, also with --dry-run.

Permissions that you need:
  cloudformation:DescribeStacks, GetTemplate, ListStackResources                on the stack
  lambda:GetEventSourceMapping, UpdateEventSourceMapping                        on the stack's mappings
  dynamodb:DescribeTable, DescribeContinuousBackups, DescribeTimeToLive,
    UpdateTable, UpdateContinuousBackups, UpdateTimeToLive                      on both tables
  logs:DescribeLogGroups                                                        on *
  logs:DescribeMetricFilters, CreateLogGroup, PutRetentionPolicy,
    AssociateKmsKey, PutMetricFilter                                            on the stack's log groups
  scheduler:GetSchedule, UpdateSchedule                                         on the stack's schedules
  iam:PassRole                                                                  on the roles of the schedules
--dry-run needs only those that begin with Describe, Get or List.
`;

export function define({ command, action }: CommandSetup): void {
  command
    .option('--dry-run', 'show what differs from what was deployed, and change nothing')
    .addOption(yesOption)
    .addHelpText(
      'after',
      notes + examplesOf('repair --dry-run', 'repair --stack payhooks-production', 'repair --yes'),
    )
    .action(action(repair));
}
