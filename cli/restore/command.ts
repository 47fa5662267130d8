import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import { isAwsError } from '../../operator/aws/errors.ts';
import { featuresOf, type MissingFeature, missingFeatures } from '../../operator/aws/table-features.ts';
import type { TableDescription, Tables, Tag } from '../../operator/aws/tables.ts';
import { restorePollMilliseconds, restorePollMillisecondsMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { deploymentNameOf, environmentOf, nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { interruptible } from '../acts/pages.ts';
import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { InterruptedError, type Stop } from '../stop-signal.ts';
import { pastTime } from '../times.ts';
import { copyRows } from './copy-rows.ts';
import { type Choice, makePlan, readSource, type Source, type Step, tableNames, timeText } from './plan.ts';
import { planReport, type Restored, reportOf } from './report.ts';

export function define({ command, action }: CommandSetup): void {
  command
    .option('--at <time>', 'the state to restore (default: the latest one, up to five minutes ago)', pastTime)
    .addOption(
      new Option(
        '--table <table>',
        'only this table (default: those that were deleted; if none was, both)',
      ).choices(tableNames),
    )
    .addOption(
      new Option(
        '--rows-from <table>',
        'only copy the events since an hour before --at from this table, and overwrite none',
      ).conflicts('table'),
    )
    .option('--dry-run', 'show what would be restored, and start nothing')
    .addOption(yesOption)
    .addHelpText(
      'after',
      `
It changes or deletes no table that is in use: it makes new ones, gives them stream, deletion protection,
recovery, expiry, policy and tags, and prints the settings with which the stack uses them, and what to do
then. What was recorded after the restored time stays in the old table: once the stack uses the new one,
--rows-from copies it. A restore takes AWS from minutes to hours. It may be interrupted: the command that it
prints when it starts goes on. docs/recovery.md has the permissions that it needs.
${examplesOf(
  ...['restore --dry-run', 'restore', 'restore --at 2026-11-22T08:15:00Z', 'restore --table orders'],
  'restore --rows-from OLD_TABLE --at 2026-11-22T08:15:00Z',
)}`,
    )
    .action(action(restoreTables));
}

interface RestoreOptions extends CommonOptions, Choice {
  readonly dryRun?: true;
  /** The table that the stack used before. */
  readonly rowsFrom?: string;
}

/** What the tables of a stack have in common. */
interface Wanted {
  readonly tags: readonly Tag[];
  /** The resource policy, in JSON. */
  readonly policy: string | undefined;
}

interface Restore {
  readonly session: Session;
  readonly tables: Tables;
  readonly stop: Stop;
  readonly wanted: Wanted;
}

function restoreTables(session: Session, options: RestoreOptions): Promise<ExitCode> {
  return interruptible(session, async (stop) => {
    const { terminal, input } = session;
    const stack = await session.stack(options);
    const { rowsFrom: from, at, table } = options;
    if (from !== undefined) {
      if (at !== undefined) return copyRows(session, stack, { from, at, options, stop });
      throw new CommandError('wrongUsage', '--rows-from needs --at, the time that was restored.');
    }
    const { openTables } = await import('../../operator/aws/tables.ts');
    const tables = openTables(stack);
    const sources = await Promise.all(tableNames.map((name) => readSource(tables, stack, name)));
    const steps = makePlan(stack, sources, options);
    const plan = planReport(session, steps);
    if (options.dryRun) return show(session, options, plan);
    if (!options.json) plan.print();
    await input.confirm(`Restore ${steps.length === 1 ? 'this table' : 'these tables'}?`, options);
    const time = steps.find(({ source }) => source.backup === undefined)?.at;
    const words = [...(table ? ['--table', table] : []), ...(time ? ['--at', timeText(time)] : [])];
    const again = nextCommand(stack, ['payhooks restore', ...words].join(' '));
    terminal.note(`If this ends early, go on with:\n→ ${again}`);
    const restore = { session, tables, stop, wanted: await wantedOf(tables, stack, sources) };
    for (const step of steps) await start(tables, step);
    const restored: Restored[] = [];
    for (const step of steps) restored.push(await finish(restore, step));
    return show(session, options, reportOf(session, stack, restored));
  });
}

/** What the stack's tables have, as it is on one that still exists. */
async function wantedOf(tables: Tables, stack: Stack, sources: readonly Source[]): Promise<Wanted> {
  const existing = sources.find(({ backup }) => backup === undefined);
  const { TableArn: arn } = (existing && (await tables.describe(existing.tableName))) ?? {};
  const found = arn === undefined ? [] : await tables.tags(arn);
  const own = found.filter(({ Key = '' }) => !Key.startsWith('aws:'));
  const ofStack = { application: 'payhooks', environment: environmentOf(stack) ?? deploymentNameOf(stack) };
  return {
    policy: arn === undefined ? undefined : await tables.policy(arn),
    tags: own.length > 0 ? own : Object.entries(ofStack).map(([Key, Value]) => ({ Key, Value })),
  };
}

/** A restore that an earlier run has started goes on. */
async function start(tables: Tables, { source, target, at }: Step): Promise<void> {
  const { tableName: name, backup } = source;
  try {
    if (backup === undefined) await tables.restoreToTime({ name, at }, target);
    else await tables.restoreBackup(backup.arn, target);
  } catch (error) {
    if (!isAwsError(error, 'TableAlreadyExistsException')) throw error;
  }
}

async function finish(restore: Restore, { source, target, at }: Step): Promise<Restored> {
  const added = new Set<string>();
  for (;;) {
    const table = await untilActive(restore, target);
    const [next] = await allMissing(restore, table, source);
    if (next === undefined) return { source, target, at, streamArn: table.LatestStreamArn };
    if (added.has(next.feature)) {
      const message = `AWS does not show yet that ${target} has: ${next.feature}.`;
      throw new CommandError('failed', `${message} Run the same command again.`);
    }
    restore.session.terminal.progress(`${target}: ${next.feature} …`);
    await next.add();
    added.add(next.feature);
  }
}

/** What a restored table lacks of what the tables of the stack have. */
async function allMissing(
  { tables, wanted: { tags, policy } }: Restore,
  table: TableDescription,
  source: Source,
): Promise<readonly Pick<MissingFeature, 'feature' | 'add'>[]> {
  const { TableArn = '' } = table;
  const present = await tables.tags(TableArn);
  const absent = tags.filter(
    ({ Key, Value }) => !present.some((tag) => tag.Key === Key && tag.Value === Value),
  );
  const lacksPolicy = policy !== undefined && (await tables.policy(TableArn)) === undefined;
  return [
    ...(absent.length > 0 ? [{ feature: 'tags', add: () => tables.update.tags(TableArn, absent) }] : []),
    ...(lacksPolicy
      ? [{ feature: 'resource policy', add: () => tables.update.policy(TableArn, policy) }]
      : []),
    ...(await missingFeatures(tables, table, featuresOf[source.table])),
  ];
}

async function untilActive(
  { session: { terminal, now }, tables, stop }: Restore,
  target: string,
): Promise<TableDescription> {
  const began = now();
  let milliseconds = restorePollMilliseconds;
  for (;;) {
    const table = await tables.describe(target);
    if (table?.TableStatus === 'ACTIVE') return table;
    if (/^(DELETING|ARCHIV|INACCESSIBLE)/.test(table?.TableStatus ?? '')) {
      const status = `${target} is ${table?.TableStatus}, so it cannot be used.`;
      throw new CommandError('failed', `${status} With a key of your own: is it enabled?`);
    }
    const seconds = Math.round((now() - began) / 1_000);
    terminal.progress(`${target}: ${table?.TableStatus ?? 'not there yet'} for ${seconds} s …`);
    await pause(milliseconds, undefined, { signal: stop.signal }).catch(() => {});
    milliseconds = Math.min(milliseconds * 2, restorePollMillisecondsMax);
    if (stop.signal.aborted) throw new InterruptedError('AWS goes on with the restore.');
  }
}
