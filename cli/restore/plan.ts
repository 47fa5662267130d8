import { featuresOf } from '../../operator/aws/table-features.ts';
import type { DeletionBackup, RecoveryWindow, Tables } from '../../operator/aws/tables.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { deploymentNameOf, outputOf, type Stack } from '../../operator/stack/stack.ts';

export type TableName = keyof typeof featuresOf;
export const tableNames = Object.keys(featuresOf) as TableName[];

/** A table that the stack uses, or used until it was deleted. */
export interface Source {
  readonly table: TableName;
  readonly tableName: string;
  /** Of a table that exists; `undefined` without point-in-time recovery. */
  readonly window?: RecoveryWindow | undefined;
  /** Of a table that was deleted. */
  readonly backup?: DeletionBackup;
}

/** A restore into a new table. */
export interface Step {
  readonly source: Source;
  readonly target: string;
  /** The time of the state, in milliseconds since the epoch. */
  readonly at: number;
}

export interface Choice {
  readonly table?: TableName;
  readonly at?: number;
}

export const timeText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/** Such as 20261122T081500Z: a restore knows seconds. */
const stampOf = (milliseconds: number): string => timeText(wholeSecond(milliseconds)).replace(/[-:]/g, '');

const wholeSecond = (milliseconds: number): number => Math.floor(milliseconds / 1_000) * 1_000;

export async function readSource(tables: Tables, stack: Stack, table: TableName): Promise<Source> {
  const tableName = outputOf(stack, table === 'events' ? 'EventsTableName' : 'OrdersTableName');
  const found = await tables.describe(tableName);
  if (found !== undefined) {
    return { table, tableName, window: (await tables.recovery(tableName)).window };
  }
  const backup = await tables.deletionBackup(tableName);
  if (backup !== undefined) return { table, tableName, backup };
  const message =
    `The table ${tableName} does not exist, and DynamoDB has no backup of it. DynamoDB keeps one for 35 ` +
    'days if the table had point-in-time recovery when it was deleted. Look for a backup of your own: aws ' +
    `dynamodb list-backups --table-name ${tableName}`;
  throw new CommandError('failed', message);
}

/** Without a choice: the tables that are gone, or both. */
export function makePlan(stack: Stack, sources: readonly Source[], { table, at }: Choice): readonly Step[] {
  const gone = sources.filter(({ backup }) => backup !== undefined);
  const chosen =
    table !== undefined
      ? sources.filter((source) => source.table === table)
      : gone.length > 0
        ? gone
        : sources;
  const windows = chosen.flatMap((source) => (source.backup === undefined ? [windowOf(source)] : []));
  const latest = Math.min(...windows.map((window) => window.latest));
  return chosen.map((source) => {
    const time = wholeSecond(source.backup === undefined ? (at ?? latest) : deletedAt(source, at));
    if (source.backup === undefined) checkTime(source, time);
    // Of its name: with that of its stack, it would go on with the restore of another deployment there.
    const target = `${deploymentNameOf(stack)}-${source.table}-${stampOf(time)}`;
    if (target === source.tableName) {
      const message = `${target} is the table that the stack uses; expected another time in --at.`;
      throw new CommandError('wrongUsage', message);
    }
    return { source, target, at: time };
  });
}

function windowOf({ tableName, window }: Source): RecoveryWindow {
  if (window !== undefined) return window;
  const message =
    `The table ${tableName} has no point-in-time recovery, so no earlier state of it can be restored. A ` +
    'stack has it unless keepData is false. Look for a backup of your own: aws dynamodb list-backups ' +
    `--table-name ${tableName}`;
  throw new CommandError('failed', message);
}

function checkTime(source: Source, at: number): void {
  const { earliest, latest } = windowOf(source);
  // The earliest time has fractions of a second.
  if (at >= wholeSecond(earliest) && at <= latest) return;
  const message =
    `--at is ${timeText(at)}, but ${source.tableName} can be restored from ${timeText(earliest)} to ` +
    `${timeText(latest)}. DynamoDB keeps 35 days, and the latest minutes become available later.`;
  throw new CommandError('wrongUsage', message);
}

function deletedAt({ tableName, backup }: Source, at: number | undefined): number {
  if (at === undefined) return backup?.createdAt ?? 0;
  const message =
    `The table ${tableName} was deleted. DynamoDB restores a deleted table only as it was at its ` +
    'deletion: leave out --at.';
  throw new CommandError('wrongUsage', message);
}
