import { setTimeout as pause } from 'node:timers/promises';
import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { Tables } from '../../operator/aws/tables.ts';
import {
  progressNoteMilliseconds,
  restorePollMilliseconds,
  restorePollMillisecondsMax,
  restoreResumeMillisecondsMax,
} from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { type Stack, stackOptionOf } from '../../operator/stack/stack.ts';
import { InterruptedError, interruptible } from '../acts/pages.ts';
import type { CommonOptions, Session } from '../session.ts';
import type { Stop } from '../stop-signal.ts';
import { createTarget } from '../target/target.ts';
import { copyRows } from './copy-rows.ts';
import { explainRestoreError, isAlreadyStarted } from './errors.ts';
import { type Missing, missingFeatures, type Wanted } from './features.ts';
import {
  type Choice,
  makePlan,
  readSource,
  type Source,
  type Step,
  tableKinds,
  targetPrefix,
  timeOfTarget,
  timeText,
} from './plan.ts';
import { printPlan, printRestored, type Restored } from './report.ts';

interface RestoreOptions extends CommonOptions, Choice {
  readonly dryRun?: true;
  /** The table that the stack used before. */
  readonly rowsFrom?: string;
}

interface Restore {
  readonly session: Session;
  readonly stack: Stack;
  readonly tables: Tables;
  readonly stop: Stop;
  readonly wanted: Wanted;
}

export function restoreTables(session: Session, options: RestoreOptions): Promise<ExitCode> {
  return interruptible(session, async (stop) => {
    const stack = await createTarget(session, options).stack();
    const { rowsFrom: from, at: since } = options;
    if (from !== undefined) {
      if (since !== undefined) return copyRows(session, stack, { from, since, options, stop });
      throw new CommandError('wrongUsage', '--rows-from needs --at, the time that was restored.');
    }
    const { openTables } = await import('../../operator/aws/tables.ts');
    const tables = openTables(stack);
    try {
      const sources = await Promise.all(tableKinds.map((kind) => readSource(tables, stack, kind)));
      const restore = { session, stack, tables, stop, wanted: await wantedOf(tables, stack, sources) };
      const unfinished = options.at === undefined ? await unfinishedTime(restore, sources) : undefined;
      const steps = makePlan(stack, sources, { ...options, unfinished });
      if (options.dryRun || !options.json) printPlan(session, steps, options);
      if (options.dryRun) return exitCodes.done;
      await session.input.confirm(`Restore ${steps.length === 1 ? 'this table' : 'these tables'}?`, options);
      for (const step of steps) await start(tables, step);
      const restored: Restored[] = [];
      for (const step of steps) restored.push(await finish(restore, step));
      printRestored(session, stack, restored, options);
      return exitCodes.done;
    } catch (error) {
      throw explainRestoreError(error);
    }
  });
}

/** What the stack's tables have, as it is on one that still exists. */
async function wantedOf(tables: Tables, stack: Stack, sources: readonly Source[]): Promise<Wanted> {
  const existing = sources.find(({ backup }) => backup === undefined);
  const { TableArn: arn } = (existing && (await tables.describe(existing.tableName))) ?? {};
  const found = arn === undefined ? [] : await tables.tags(arn);
  const own = found.filter(({ Key = '' }) => !Key.startsWith('aws:'));
  const environment = stack.name.replace(/^payhooks-/, '');
  const ofStack = { application: 'payhooks', environment };
  return {
    policy: arn === undefined ? undefined : await tables.policy(arn),
    tags: own.length > 0 ? own : Object.entries(ofStack).map(([Key, Value]) => ({ Key, Value })),
  };
}

/**
 * The time of a restore that an earlier run has begun and not ended. A table of another day is none, nor one
 * that only lacks what the tables of the stack have got since: the state would be older than the operator
 * expects.
 */
async function unfinishedTime(restore: Restore, sources: readonly Source[]): Promise<number | undefined> {
  const { tables, stack, session } = restore;
  const wanted = { tags: [], policy: undefined };
  const times: number[] = [];
  for (const { kind, tableName, backup } of sources) {
    const prefix = targetPrefix(stack, kind);
    const names = backup === undefined ? await tables.names(prefix) : [];
    for (const name of names.filter((one) => one !== tableName)) {
      const time = timeOfTarget(name, prefix);
      const table = await tables.describe(name);
      if (time === undefined || table === undefined) continue;
      const isReady = table.TableStatus === 'ACTIVE';
      const age = session.now() - (table.CreationDateTime?.getTime() ?? 0);
      if (isReady && age > restoreResumeMillisecondsMax) continue;
      if (isReady && (await missingFeatures(tables, table, { kind, wanted })).length === 0) continue;
      times.push(time);
    }
  }
  if (times.length === 0) return undefined;
  const time = Math.max(...times);
  session.terminal.note(`An earlier restore, as of ${timeText(time)}, has not ended: this goes on with it.`);
  return time;
}

/** A restore that an earlier run has started goes on. */
async function start(tables: Tables, { source, target, at }: Step): Promise<void> {
  if ((await tables.describe(target)) !== undefined) return;
  const { tableName: name, backup } = source;
  try {
    if (backup === undefined) await tables.restoreToTime({ name, at }, target);
    else await tables.restoreBackup(backup.arn, target);
  } catch (error) {
    if (!isAlreadyStarted(error)) throw error;
  }
}

async function finish(restore: Restore, step: Step): Promise<Restored> {
  const { tables, wanted } = restore;
  const { kind } = step.source;
  let table = await untilActive(restore, step);
  let missing: readonly Missing[] = await missingFeatures(tables, table, { kind, wanted });
  for (const { feature, add } of missing) {
    restore.session.terminal.progress(`${step.target}: ${feature} …`);
    await add();
    table = await untilActive(restore, step);
  }
  missing = await missingFeatures(tables, table, { kind, wanted });
  if (missing.length > 0) {
    const names = missing.map(({ feature }) => feature).join(', ');
    const message = `AWS does not show yet that ${step.target} has: ${names}. Run the same command again.`;
    throw new CommandError('failed', message);
  }
  return { ...step, ...(table.LatestStreamArn && { streamArn: table.LatestStreamArn }) };
}

async function untilActive(restore: Restore, { target, at, source }: Step): Promise<TableDescription> {
  const { session, tables, stop, stack } = restore;
  const { terminal, now } = session;
  const began = now();
  let noted = began;
  let milliseconds = restorePollMilliseconds;
  for (;;) {
    const table = await tables.describe(target);
    if (table?.TableStatus === 'ACTIVE') return table;
    if (/^(DELETING|ARCHIV|INACCESSIBLE)/.test(table?.TableStatus ?? '')) {
      const status = `${target} is ${table?.TableStatus}, so it cannot be used.`;
      throw new CommandError('failed', `${status} With a key of your own: is it enabled?`);
    }
    const seconds = Math.round((now() - began) / 1_000);
    const line = `${target}: ${table?.TableStatus ?? 'not there yet'} for ${seconds} s …`;
    terminal.progress(line);
    if (!terminal.showsProgress && now() - noted >= progressNoteMilliseconds) {
      terminal.note(line);
      noted = now();
    }
    await pause(milliseconds, undefined, { signal: stop.signal }).catch(() => {});
    milliseconds = Math.min(milliseconds * 2, restorePollMillisecondsMax);
    if (!stop.signal.aborted) continue;
    const time = source.backup === undefined ? ` --at ${shellQuoted(timeText(at))}` : '';
    const command = `npx payhooks restore${time} ${stackOptionOf(stack)}`;
    throw new InterruptedError(`AWS goes on with the restore. To go on here: ${command}`);
  }
}
