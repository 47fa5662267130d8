import { eventAttributes, orderAttributes } from '../../lambdas/contract/schema.ts';
import type { DeletionBackup, RecoveryWindow, Tables } from '../../operator/aws/tables.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { outputOf, type Stack } from '../../operator/stack/stack.ts';

/** What a restored table needs in addition to its rows and indexes, which come with the restore. */
export interface TableKind {
  readonly name: 'events' | 'orders';
  readonly hasStream: boolean;
  /** The attribute by which rows expire. */
  readonly expiry: string;
}

export const tableKinds: readonly TableKind[] = [
  { name: 'events', hasStream: false, expiry: eventAttributes.expiresAt },
  { name: 'orders', hasStream: true, expiry: orderAttributes.expiresAt },
];

/** A table that the stack uses, or used until it was deleted. */
export interface Source {
  readonly kind: TableKind;
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
  readonly table?: TableKind['name'];
  readonly at?: number;
}

export const timeText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/** Such as 20261122T081500Z: a restore knows seconds. */
const stampOf = (milliseconds: number): string => timeText(wholeSecond(milliseconds)).replace(/[-:]/g, '');

const wholeSecond = (milliseconds: number): number => Math.floor(milliseconds / 1_000) * 1_000;

export const targetPrefix = (stack: Stack, kind: TableKind): string => `${stack.name}-${kind.name}-`;

/** The time in the name of a restored table; `undefined` for other names. */
export function timeOfTarget(name: string, prefix: string): number | undefined {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(name.slice(prefix.length)) ?? [];
  if (!name.startsWith(prefix) || parts.length === 0) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

export async function readSource(tables: Tables, stack: Stack, kind: TableKind): Promise<Source> {
  const tableName = outputOf(stack, kind.name === 'events' ? 'EventsTableName' : 'OrdersTableName');
  const found = await tables.describe(tableName);
  if (found !== undefined) return { kind, tableName, window: await tables.window(tableName) };
  const backup = await tables.deletionBackup(tableName);
  if (backup !== undefined) return { kind, tableName, backup };
  const message =
    `The table ${tableName} does not exist, and DynamoDB has no backup of it. DynamoDB keeps one for 35 ` +
    'days if the table had point-in-time recovery when it was deleted. Look for a backup of your own: aws ' +
    `dynamodb list-backups --table-name ${tableName}`;
  throw new CommandError('failed', message);
}

/** Without a choice: the tables that are gone, or both. `unfinished` is the time of an earlier run. */
export function makePlan(
  stack: Stack,
  sources: readonly Source[],
  { table, at, unfinished }: Choice & { readonly unfinished?: number | undefined },
): readonly Step[] {
  const gone = sources.filter(({ backup }) => backup !== undefined);
  const chosen =
    table !== undefined
      ? sources.filter(({ kind }) => kind.name === table)
      : gone.length > 0
        ? gone
        : sources;
  const windows = chosen.flatMap((source) => (source.backup === undefined ? [windowOf(source)] : []));
  const latest = Math.min(...windows.map((window) => window.latest));
  return chosen.map((source) => {
    const time = wholeSecond(
      source.backup === undefined ? (at ?? unfinished ?? latest) : deletedAt(source, at),
    );
    if (source.backup === undefined) checkTime(source, time);
    const target = `${targetPrefix(stack, source.kind)}${stampOf(time)}`;
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
