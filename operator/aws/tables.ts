import {
  type AttributeValue,
  DynamoDB,
  paginateScan,
  type TableDescription,
  type Tag,
} from '@aws-sdk/client-dynamodb';
import { eventAttributes, eventRecord } from '../../lambdas/contract/schema.ts';
import type { Stack } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';
import { absentAt } from './errors.ts';

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

export type { TableDescription, Tag };

export type Tables = ReturnType<typeof openTables>;

/** The tables of an account, as far as their recovery needs it. */
export function openTables(stack: Stack) {
  const client = new DynamoDB(serviceOptions(stack, 'dynamodb'));
  const { EncryptionKeyArn } = stack.outputs;
  // Stated, because a restored table would otherwise get the key that AWS owns.
  const SSESpecificationOverride = {
    Enabled: true,
    SSEType: 'KMS' as const,
    ...(EncryptionKeyArn && { KMSMasterKeyId: EncryptionKeyArn }),
  };
  return {
    /** `undefined` for a table that does not exist. */
    async describe(TableName: string): Promise<TableDescription | undefined> {
      const missing = absentAt('ResourceNotFoundException');
      return (await client.describeTable({ TableName }).catch(missing))?.Table;
    },
    /** Whether point-in-time recovery is on, and its window, which may not be known yet. */
    async recovery(TableName: string): Promise<{ isOn: boolean; window: RecoveryWindow | undefined }> {
      const { ContinuousBackupsDescription: backups } = await client.describeContinuousBackups({ TableName });
      const { PointInTimeRecoveryStatus, EarliestRestorableDateTime, LatestRestorableDateTime } =
        backups?.PointInTimeRecoveryDescription ?? {};
      const [earliest, latest] = [EarliestRestorableDateTime?.getTime(), LatestRestorableDateTime?.getTime()];
      return {
        isOn: PointInTimeRecoveryStatus === 'ENABLED',
        window: earliest === undefined || latest === undefined ? undefined : { earliest, latest },
      };
    },
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
      const missing = absentAt('PolicyNotFoundException');
      return (await client.getResourcePolicy({ ResourceArn }).catch(missing))?.Policy;
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
    /** The rows of acts from a time on, in ISO 8601 UTC; it reads the whole table. */
    async *actRows(TableName: string, since: string) {
      const selection = {
        FilterExpression: '#record BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#record': eventAttributes.record },
        ExpressionAttributeValues: {
          ':first': { S: `${eventRecord.acts}${since}` },
          // Sorts after every act.
          ':last': { S: eventRecord.acts.replace(':', ';') },
        },
      };
      const pages = paginateScan({ client }, { TableName, ConsistentRead: true, ...selection });
      for await (const { Items: rows = [], ScannedCount: scanned = 0 } of pages) yield { rows, scanned };
    },
    /** When live and sandbox events were received, by their keys; of one of several parts of the table. */
    async *receivedSince(TableName: string, since: string, Segment: number, TotalSegments: number) {
      const { key, record, receivedAt, recordedAt } = eventAttributes;
      const selection = {
        FilterExpression: '#record = :event AND #recordedAt >= :since',
        ProjectionExpression: '#key, #receivedAt',
        ExpressionAttributeNames: {
          '#key': key,
          '#record': record,
          '#receivedAt': receivedAt,
          '#recordedAt': recordedAt,
        },
        ExpressionAttributeValues: { ':event': { S: eventRecord.event }, ':since': { S: since } },
      };
      const part = { TableName, Segment, TotalSegments, ...selection };
      for await (const { Items = [], ScannedCount = 0 } of paginateScan({ client }, part)) {
        const rows = Items.map((item) => [item[key]?.S ?? '', item[receivedAt]?.S ?? ''] as const);
        yield { rows, scanned: ScannedCount };
      }
    },
    /** Resolves with whether the table lacked the row. */
    async addRow(TableName: string, Item: Row): Promise<boolean> {
      const ConditionExpression = `attribute_not_exists(${eventAttributes.key})`;
      const put = client.putItem({ TableName, Item, ConditionExpression });
      return (await put.catch(absentAt('ConditionalCheckFailedException'))) !== undefined;
    },
    update: {
      stream: (TableName: string) => client.updateTable({ TableName, StreamSpecification }),
      protection: (TableName: string) => client.updateTable({ TableName, DeletionProtectionEnabled: true }),
      recovery: (TableName: string) =>
        client.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification }),
      expiry: (TableName: string, AttributeName: string) =>
        client.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName } }),
      policy: (ResourceArn: string, Policy: string) => client.putResourcePolicy({ ResourceArn, Policy }),
      tags: (ResourceArn: string, Tags: readonly Tag[]) =>
        client.tagResource({ ResourceArn, Tags: [...Tags] }),
    },
  };
}

const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
