import { setTimeout as pause } from 'node:timers/promises';
import { orderFeedRecordAgeSecondsMax } from '../../lambdas/contract/limits.ts';
import { explainError } from '../../operator/explain-error.ts';
import { repairMilliseconds } from '../../operator/limits.ts';
import { type CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { type Fault, faultDocument } from '../../operator/safeguards/safeguard.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

const notes = `
It compares what the stack has outside its data path with what was deployed: the event source mappings of
consumer and order feed (enabled, with reports of failures and the failure queue), deletion protection,
point-in-time recovery, expiry and stream of the tables, the log groups with their retention and key, the
metric filters and the schedules. It shows what differs, asks, restores it and checks again. Run it as often
as you like.

What no call restores it names with its command: deleted tables, mappings, schedules, queues, archives and
APIs; policies of queues, tables, the bus, functions and roles; changed functions, routes, access logs and
alarms; the source of dead letters. payhooks status, payhooks smoke and the stack itself, every hour,
check the same.

Exit codes: 0 everything is as deployed; 1 something is not, also with --dry-run.

Permissions that you need:
  cloudformation:DescribeStacks, GetTemplate, ListStackResources            on the stack
  lambda:GetEventSourceMapping, UpdateEventSourceMapping                    on the stack's mappings
  lambda:GetFunctionConfiguration, GetPolicy                                on the stack's functions
  iam:GetRole, GetRolePolicy, ListRolePolicies, ListAttachedRolePolicies    on the stack's roles
  apigateway:GET                                                            on the stack's APIs
  events:DescribeEventBus, DescribeArchive                                  on bus and archive
  dynamodb:DescribeTable, DescribeContinuousBackups, DescribeTimeToLive, GetResourcePolicy,
    UpdateTable, UpdateContinuousBackups, UpdateTimeToLive                  on both tables
  logs:DescribeLogGroups                                                    on *
  logs:DescribeMetricFilters, CreateLogGroup, PutRetentionPolicy,
    AssociateKmsKey, PutMetricFilter                                        on its log groups
  scheduler:GetSchedule, UpdateSchedule                                     on the stack's schedules
  sqs:GetQueueAttributes                                                    on the stack's queues
  cloudwatch:DescribeAlarms                                                 on *
  iam:PassRole                                                              on the schedules' roles
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

interface RepairOptions extends CommonOptions {
  readonly dryRun?: true;
}

const lineCharactersMax = 1_000;
const textOf = (text: string): string => printable(text, lineCharactersMax);

/** Shows what is not as it was deployed, asks, restores it and checks again. */
async function repair(session: Session, options: RepairOptions): Promise<ExitCode> {
  const { terminal, input, now, waits } = session;
  const print = options.json ? () => {} : terminal.print;
  const stack = await session.stack(options);
  terminal.progress('Comparing the stack with what was deployed …');
  const { describeDeployed, inspect } = await import('../../operator/safeguards/inspect.ts');
  const deployed = await describeDeployed(stack);
  const faults = await inspect(deployed);
  for (const { message, repair: call, fix = '' } of faults) {
    print(`${terminal.style('red', '✗')} ${textOf(message)}`);
    print(`    → ${call === undefined ? `no repair: ${textOf(fix)}` : call.does}`);
  }
  const repairable = faults.filter(({ repair: call }) => call !== undefined);
  const isRepaired = !options.dryRun && repairable.length > 0;
  let failures: readonly CommandError[] = [];
  let left = faults;
  if (isRepaired) {
    const what = repairable.length === 1 ? 'this' : `these ${repairable.length} things`;
    await input.confirm(`Repair ${what} in ${stack.name}?`, options);
    failures = await runRepairs(session, repairable, print);
    const until = performance.now() + (failures.length > 0 ? 0 : repairMilliseconds);
    do {
      terminal.progress('Checking again …');
      left = await inspect(deployed);
      // A mapping takes up to a minute to be enabled. What no call restores does not come back meanwhile.
      if (!left.some(({ repair: call, isPassing }) => call !== undefined || isPassing)) break;
      await pause(waits.repairPollMilliseconds);
    } while (performance.now() < until);
  }
  const replay = replayCommandOf(stack, faults, now());
  return show(session, options, {
    document: {
      stack: stack.name,
      faults: faults.map(faultDocument),
      errors: failures.map(({ message }) => message),
      left: left.map(faultDocument),
      replay: replay ?? null,
    },
    print() {
      if (left.length === 0) {
        const again = isRepaired ? ' again' : '';
        print(terminal.style('green', `Everything is as it was deployed${again}.`));
      } else if (isRepaired) {
        print(terminal.style('red', `${left.length} still to do:`));
        for (const { message, fix = 'run it again' } of left) {
          print(`  ${textOf(message)}\n    → ${textOf(fix)}`);
        }
      }
      if (!options.dryRun && replay !== undefined) {
        terminal.note(`The order feed was off for so long that it skips changes of that time.\n→ ${replay}`);
      }
    },
    exitCode: failures[0]?.exitCode ?? (left.length > 0 ? exitCodes.failed : exitCodes.done),
  });
}

/** One that fails does not keep the others from being repaired. */
async function runRepairs(
  { terminal, env }: Session,
  faults: readonly Fault[],
  print: (line: string) => void,
): Promise<readonly CommandError[]> {
  const failures: CommandError[] = [];
  for (const { message, repair: call } of faults) {
    terminal.progress(`${message}: ${call?.does} …`);
    try {
      await call?.run();
      print(`${terminal.style('green', '✓')} ${textOf(message)}: repaired`);
    } catch (error) {
      const explained = explainError(error, env);
      failures.push(explained);
      print(`${terminal.style('red', '✗')} ${textOf(message)}: ${explained.message}`);
    }
  }
  return failures;
}

/** An event is recorded shortly before its change reaches the stream. */
const marginMilliseconds = 60_000;

/**
 * The command that publishes what the feed will not: it skips a change that is older than its mapping allows,
 * and the stream loses one after 24 hours. `undefined` when the feed was off for less.
 */
function replayCommandOf(stack: Stack, faults: readonly Fault[], now: number): string | undefined {
  const since = faults.find(({ feedOffSince }) => feedOffSince !== undefined)?.feedOffSince?.getTime();
  if (since === undefined || now - since < orderFeedRecordAgeSecondsMax * 1_000) return undefined;
  const from = new Date(since - marginMilliseconds).toISOString();
  return nextCommand(stack, `payhooks replay --since ${from} --publish --reason "the order feed was off"`);
}
