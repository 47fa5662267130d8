import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { tableArn } from '../account.ts';
import { AwsError } from './aws-error.ts';
import type { Operation } from './aws-json.ts';
import type { Dynalite } from './dynalite.ts';
import type { Item } from './dynalite-items.ts';
import { put } from './dynalite-store.ts';
import { rowsAt } from './table-history.ts';
import type { FoundTable, TableSettingsStore } from './table-settings.ts';

interface Named {
  readonly TableName: string;
}

interface RecoveryUpdate extends Named {
  readonly PointInTimeRecoverySpecification: { readonly PointInTimeRecoveryEnabled: boolean };
}

interface PointInTimeRestore {
  readonly SourceTableName: string;
  readonly TargetTableName: string;
  /** Seconds since the epoch; without it the latest state. */
  readonly RestoreDateTime?: number;
}

interface BackupRestore {
  readonly BackupArn: string;
  readonly TargetTableName: string;
}

/** What DynamoDB keeps of a deleted table. */
interface Backup {
  readonly arn: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly table: FoundTable;
}

interface RecoveryParts {
  readonly dynalite: Dynalite;
  readonly settings: TableSettingsStore;
  readonly find: (TableName: string) => Promise<FoundTable>;
}

const backupPrefix = 'backup-';

/** Point-in-time recovery, and the backups of deleted tables. */
export function createRecovery({ dynalite, settings, find }: RecoveryParts) {
  const { database } = dynalite;
  async function backups(): Promise<Backup[]> {
    const keys = await database.keys({ gte: backupPrefix, lt: `${backupPrefix}\xff` }).all();
    return (await database.getMany(keys)) as Backup[];
  }

  async function findOrRefuse(tableName: string): Promise<FoundTable> {
    try {
      return await find(tableName);
    } catch (cause) {
      throw new AwsError('TableNotFoundException', `Table not found: ${tableName}`, { cause });
    }
  }

  /** Resolves once the rows are there. */
  async function restore(source: FoundTable, target: string, at: number): Promise<object> {
    const rows = await rowsAt(dynalite, source.tableId, at);
    await dynalite.run('createTable', createParameters(target, source.description)).catch((cause) => {
      if (!(cause instanceof AwsError) || cause.code !== 'ResourceInUseException') throw cause;
      throw new AwsError('TableAlreadyExistsException', `Table already exists: ${target}`, { cause });
    });
    await fill(dynalite, target, rows);
    const { description } = await find(target);
    return { TableDescription: { ...description, TableArn: tableArn(target) } };
  }

  const operations: Readonly<Record<string, Operation>> = {
    async DescribeContinuousBackups({ TableName }: Named) {
      await findOrRefuse(TableName);
      return continuousBackups(settings.of(TableName)?.recoverableSince);
    },
    async UpdateContinuousBackups({ TableName, PointInTimeRecoverySpecification: given }: RecoveryUpdate) {
      await settings.setRecovery(await findOrRefuse(TableName), given.PointInTimeRecoveryEnabled);
      return continuousBackups(settings.of(TableName)?.recoverableSince);
    },
    async RestoreTableToPointInTime(given: PointInTimeRestore) {
      const { SourceTableName, TargetTableName, RestoreDateTime } = given;
      const source = await findOrRefuse(SourceTableName);
      const since = settings.of(SourceTableName)?.recoverableSince;
      if (since === undefined) {
        const message = `Point in time recovery is not enabled for table '${SourceTableName}'`;
        throw new AwsError('PointInTimeRecoveryUnavailableException', message);
      }
      const at = RestoreDateTime === undefined ? Date.now() : RestoreDateTime * 1_000;
      // A caller knows seconds.
      if (at < Math.floor(since / 1_000) * 1_000 || at > Date.now()) {
        const message = 'The requested RestoreDateTime is outside of the recovery window.';
        throw new AwsError('InvalidRestoreTimeException', message);
      }
      return restore(source, TargetTableName, Math.max(at, since));
    },
    async ListBackups({ TableName }: Partial<Named>) {
      const listed = (await backups()).filter(({ table }) =>
        [undefined, table.tableName].includes(TableName),
      );
      return { BackupSummaries: listed.map(summaryOf) };
    },
    async RestoreTableFromBackup({ BackupArn, TargetTableName }: BackupRestore) {
      const backup = (await backups()).find(({ arn }) => arn === BackupArn);
      if (backup === undefined)
        throw new AwsError('BackupNotFoundException', `Backup not found: ${BackupArn}`);
      return restore(backup.table, TargetTableName, backup.createdAt);
    },
  };
  return {
    operations,
    async keepBackup(table: FoundTable): Promise<void> {
      const createdAt = Date.now();
      const arn = `${tableArn(table.tableName)}/backup/${createdAt}-${randomUUID().slice(0, 8)}`;
      await database.batch([put(`${backupPrefix}${arn}`, { arn, createdAt, table } satisfies Backup)]);
    },
  };
}

const continuousBackups = (since: number | undefined): object => ({
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription:
      since === undefined
        ? { PointInTimeRecoveryStatus: 'DISABLED' }
        : {
            PointInTimeRecoveryStatus: 'ENABLED',
            EarliestRestorableDateTime: since / 1_000,
            LatestRestorableDateTime: Date.now() / 1_000,
          },
  },
});

const summaryOf = ({ arn, createdAt, table }: Backup): object => ({
  ...{ TableName: table.tableName, TableId: table.tableId, TableArn: tableArn(table.tableName) },
  ...{ BackupArn: arn, BackupName: `${table.tableName}$DeletedTableBackup` },
  ...{ BackupStatus: 'AVAILABLE', BackupType: 'SYSTEM', BackupCreationDateTime: createdAt / 1_000 },
});

/** A restored table has the keys and the indexes of its source, and none of its other settings. */
function createParameters(TableName: string, source: TableDescription): object {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, LocalSecondaryIndexes } = source;
  const keysOf = (indexes: TableDescription['LocalSecondaryIndexes'] = []) =>
    indexes.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }));
  return structuredClone({
    ...{ TableName, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' },
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes: keysOf(GlobalSecondaryIndexes) }),
    ...(LocalSecondaryIndexes && { LocalSecondaryIndexes: keysOf(LocalSecondaryIndexes) }),
  });
}

const activeChecksMax = 200;
const activeCheckMilliseconds = 5;

async function fill(dynalite: Dynalite, TableName: string, rows: readonly Item[]): Promise<void> {
  for (let check = 0; check < activeChecksMax; check += 1) {
    const { Table } = (await dynalite.run('describeTable', { TableName })) as { Table: TableDescription };
    if (Table.TableStatus === 'ACTIVE') break;
    await pause(activeCheckMilliseconds);
  }
  for (const Item of rows) await dynalite.run('putItem', { TableName, Item });
}
