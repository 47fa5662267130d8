import {
  type AttributeValue,
  DynamoDB,
  paginateScan,
  type TableDescription,
  type Tag,
} from '@aws-sdk/client-dynamodb';
import { eventAttributes } from '../../lambdas/contract/schema.ts';
import type { Stack } from '../stack/stack.ts';
import { dynamoDbOptions } from './client-options.ts';

/** From when until when a table can be restored, in milliseconds since the epoch. */
export interface RecoveryWindow {
  readonly earliest: number;
  readonly latest: number;
}

/** What DynamoDB keeps of a deleted table for 35 days. */
export interface DeletionBackup {
  readonly arn: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

type Row = Record<string, AttributeValue>;

export type Tables = ReturnType<typeof openTables>;

/** The tables of an account, as far as their recovery needs it. */
export function openTables(stack: Stack) {
  const client = new DynamoDB(dynamoDbOptions(stack));
  const { EncryptionKeyArn } = stack.outputs;
  // Stated, because a restored table would otherwise get the key that AWS owns.
  const SSESpecificationOverride = {
    Enabled: true,
    SSEType: 'KMS' as const,
    ...(EncryptionKeyArn && { KMSMasterKeyId: EncryptionKeyArn }),
  };
  const recoveryOf = async (TableName: string) =>
    (await client.describeContinuousBackups({ TableName })).ContinuousBackupsDescription
      ?.PointInTimeRecoveryDescription;
  return {
    /** `undefined` for a table that does not exist. */
    async describe(TableName: string): Promise<TableDescription | undefined> {
      const { Table } = await client.describeTable({ TableName }).catch(unlessMissing);
      return Table;
    },
    /** `undefined` without point-in-time recovery. */
    async window(TableName: string): Promise<RecoveryWindow | undefined> {
      const recovery = await recoveryOf(TableName);
      const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery ?? {};
      if (earliest === undefined || latest === undefined) return undefined;
      return { earliest: earliest.getTime(), latest: latest.getTime() };
    },
    /** Whether point-in-time recovery is on; its window may not be known yet. */
    recovers: async (TableName: string): Promise<boolean> =>
      (await recoveryOf(TableName))?.PointInTimeRecoveryStatus === 'ENABLED',
    /** The backup of the latest table of this name that was deleted. */
    async deletionBackup(tableName: string): Promise<DeletionBackup | undefined> {
      const found: DeletionBackup[] = [];
      let ExclusiveStartBackupArn: string | undefined;
      do {
        const page = await client.listBackups({
          BackupType: 'SYSTEM',
          ...(ExclusiveStartBackupArn && { ExclusiveStartBackupArn }),
        });
        for (const { TableName, BackupArn = '', BackupCreationDateTime } of page.BackupSummaries ?? []) {
          if (TableName !== tableName || BackupCreationDateTime === undefined) continue;
          found.push({ arn: BackupArn, createdAt: BackupCreationDateTime.getTime() });
        }
        ExclusiveStartBackupArn = page.LastEvaluatedBackupArn;
      } while (ExclusiveStartBackupArn !== undefined);
      return found.toSorted((left, right) => right.createdAt - left.createdAt)[0];
    },
    /** The names of the tables that begin like this. */
    async names(prefix: string): Promise<readonly string[]> {
      const found: string[] = [];
      let ExclusiveStartTableName: string | undefined;
      do {
        const page = await client.listTables({ ...(ExclusiveStartTableName && { ExclusiveStartTableName }) });
        found.push(...(page.TableNames ?? []).filter((name) => name.startsWith(prefix)));
        ExclusiveStartTableName = page.LastEvaluatedTableName;
      } while (ExclusiveStartTableName !== undefined);
      return found;
    },
    async restoreToTime(source: { readonly name: string; readonly at: number }, TargetTableName: string) {
      const RestoreDateTime = new Date(source.at);
      const from = { SourceTableName: source.name, RestoreDateTime };
      await client.restoreTableToPointInTime({ ...from, TargetTableName, SSESpecificationOverride });
    },
    async restoreBackup(BackupArn: string, TargetTableName: string): Promise<void> {
      await client.restoreTableFromBackup({ BackupArn, TargetTableName, SSESpecificationOverride });
    },
    /** The attribute by which rows expire; `undefined` when none do. */
    async expiry(TableName: string): Promise<string | undefined> {
      const { TimeToLiveDescription: expiry } = await client.describeTimeToLive({ TableName });
      return /^ENABL/.test(expiry?.TimeToLiveStatus ?? '') ? expiry?.AttributeName : undefined;
    },
    async tags(ResourceArn: string): Promise<readonly Tag[]> {
      return (await client.listTagsOfResource({ ResourceArn })).Tags ?? [];
    },
    /** The resource policy in JSON; `undefined` without one. */
    async policy(ResourceArn: string): Promise<string | undefined> {
      const found = await client.getResourcePolicy({ ResourceArn }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'PolicyNotFoundException') return undefined;
        throw error;
      });
      return found?.Policy;
    },
    /** The rows that were recorded from a time on, in ISO 8601 UTC, and those that hold no such time. */
    async *rowsSince(TableName: string, since: string): AsyncGenerator<readonly Row[]> {
      const selection = {
        FilterExpression: 'attribute_not_exists(#recordedAt) OR #recordedAt >= :since',
        ExpressionAttributeNames: { '#recordedAt': eventAttributes.recordedAt },
        ExpressionAttributeValues: { ':since': { S: since } },
      };
      const pages = paginateScan({ client }, { TableName, ConsistentRead: true, ...selection });
      for await (const { Items = [] } of pages) yield Items;
    },
    /** Resolves with whether the table lacked the row. */
    async addRow(TableName: string, Item: Row): Promise<boolean> {
      const ConditionExpression = `attribute_not_exists(${eventAttributes.key})`;
      return client.putItem({ TableName, Item, ConditionExpression }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
          throw error;
        },
      );
    },
    update: {
      stream: (TableName: string) =>
        client.updateTable({
          ...{
            TableName,
            StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
          },
        }),
      protection: (TableName: string) => client.updateTable({ TableName, DeletionProtectionEnabled: true }),
      recovery: (TableName: string) =>
        client.updateContinuousBackups({
          ...{ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
        }),
      expiry: (TableName: string, AttributeName: string) =>
        client.updateTimeToLive({
          ...{ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName } },
        }),
      policy: (ResourceArn: string, Policy: string) => client.putResourcePolicy({ ResourceArn, Policy }),
      tags: (ResourceArn: string, Tags: readonly Tag[]) =>
        client.tagResource({ ResourceArn, Tags: [...Tags] }),
    },
  };
}

/** Passes over a table that does not exist. */
function unlessMissing(error: unknown): { readonly Table?: TableDescription } {
  if (error instanceof Error && error.name === 'ResourceNotFoundException') return {};
  throw error;
}
