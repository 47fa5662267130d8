import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { StreamModel } from '../template/resources.ts';
import type { Dynalite } from './dynalite.ts';
import { del, put } from './dynalite-store.ts';
import { type RecordedTable, recordHistory } from './table-history.ts';
import { openStream, type TableStream } from './table-stream.ts';

/** What dynalite does not know of a table. */
export interface TableSettings extends RecordedTable {
  readonly deletionProtection?: boolean;
  readonly expiryAttribute?: string | undefined;
  /** Since when any state of the table can be restored. Times are milliseconds since the epoch. */
  readonly recoverableSince?: number | undefined;
  readonly stream?: StreamModel & { readonly keyNames: readonly string[] };
  /** The resource policy, in JSON; no request is checked against it. */
  readonly policy?: string;
}

export interface FoundTable extends RecordedTable {
  readonly description: TableDescription;
}

const prefix = 'settings-';

export type TableSettingsStore = Awaited<ReturnType<typeof openTableSettings>>;

/** The settings of all tables, kept next to the tables; streams and histories go on after a restart. */
export async function openTableSettings(dynalite: Dynalite, now: () => number) {
  const { database } = dynalite;
  const keys = await database.keys({ gte: prefix, lt: `${prefix}\xff` }).all();
  const kept = (await database.getMany(keys)) as TableSettings[];
  const settings = new Map(kept.map((one) => [one.tableName, one]));
  const streams = new Map<string, TableStream>();
  const histories = new Map<string, () => void>();

  const open = async ({ tableName, stream }: TableSettings): Promise<void> => {
    if (stream === undefined) return;
    streams.set(stream.arn, await openStream(dynalite, { tableName, stream, now }));
  };
  for (const one of settings.values()) {
    await open(one);
    if (one.recoverableSince === undefined) continue;
    histories.set(one.tableName, await recordHistory(dynalite, one, { holdsRows: false }));
  }

  async function change(table: RecordedTable, changed: Partial<TableSettings>): Promise<TableSettings> {
    const { tableName, tableId } = table;
    const next = { ...settings.get(tableName), ...changed, tableName, tableId };
    settings.set(tableName, next);
    await database.batch([put(`${prefix}${tableName}`, next)]);
    return next;
  }

  return {
    of: (tableName: string): TableSettings | undefined => settings.get(tableName),
    change,
    /** Records the writes to a table from now on. */
    async setStream(table: RecordedTable, stream: NonNullable<TableSettings['stream']>): Promise<void> {
      await open(await change(table, { stream }));
    },
    /** The stream with this ARN; `undefined` when there is none. */
    streamAt: (arn: string): TableStream | undefined => streams.get(arn),
    async setRecovery(table: RecordedTable, isOn: boolean): Promise<void> {
      const isRecorded = histories.has(table.tableName);
      if (isOn === isRecorded) return;
      if (isOn) histories.set(table.tableName, await recordHistory(dynalite, table));
      else endHistory(table.tableName);
      await change(table, { recoverableSince: isOn ? Date.now() : undefined });
    },
    async forget(tableName: string): Promise<void> {
      endHistory(tableName);
      settings.delete(tableName);
      await database.batch([del(`${prefix}${tableName}`)]);
    },
  };

  function endHistory(tableName: string): void {
    histories.get(tableName)?.();
    histories.delete(tableName);
  }
}
