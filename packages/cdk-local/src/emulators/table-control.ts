import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { streamArn, tableArn } from '../account.ts';
import type { StreamModel } from '../template/resources.ts';
import { AwsError } from './aws-error.ts';
import type { Operation } from './aws-json.ts';
import type { Dynalite } from './dynalite.ts';
import { createRecovery } from './table-recovery.ts';
import type { FoundTable, TableSettingsStore } from './table-settings.ts';

interface Named {
  readonly TableName: string;
}

interface TableUpdate extends Named {
  readonly DeletionProtectionEnabled?: boolean;
  readonly StreamSpecification?: {
    readonly StreamEnabled?: boolean;
    readonly StreamViewType?: StreamModel['viewType'];
  };
}

interface ExpiryUpdate extends Named {
  readonly TimeToLiveSpecification: { readonly Enabled: boolean; readonly AttributeName: string };
}

/**
 * The operations that dynalite lacks: streams, deletion protection, expiry, which is only remembered, and the
 * restoration of earlier states.
 */
export function createTableControl(
  dynalite: Dynalite,
  settings: TableSettingsStore,
): Readonly<Record<string, Operation>> {
  async function find(TableName: string): Promise<FoundTable> {
    const { Table } = (await dynalite.run('describeTable', { TableName })) as { Table: TableDescription };
    return { tableName: TableName, tableId: Table.TableId ?? '', description: Table };
  }
  const recovery = createRecovery({ dynalite, settings, find });

  function describe({ tableName, description }: FoundTable): object {
    const { deletionProtection = false, stream } = settings.of(tableName) ?? {};
    return {
      ...description,
      TableArn: tableArn(tableName),
      DeletionProtectionEnabled: deletionProtection,
      ...(stream !== undefined && {
        StreamSpecification: { StreamEnabled: true, StreamViewType: stream.viewType },
        LatestStreamArn: stream.arn,
        LatestStreamLabel: stream.arn.split('/stream/').at(-1),
      }),
    };
  }

  async function enableStream(
    { tableName, tableId, description }: FoundTable,
    viewType: StreamModel['viewType'],
  ) {
    if (settings.of(tableName)?.stream !== undefined)
      throw new AwsError('ValidationException', 'Table already has an enabled stream');
    const keyNames = (description.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName);
    await settings.setStream({ tableName, tableId }, { arn: streamArn(tableName), viewType, keyNames });
  }

  return {
    ...recovery.operations,
    async DescribeTable({ TableName }: Named) {
      return { Table: describe(await find(TableName)) };
    },
    async UpdateTable(update: TableUpdate) {
      const { TableName, DeletionProtectionEnabled, StreamSpecification } = update;
      const table = await find(TableName);
      if (DeletionProtectionEnabled === undefined && StreamSpecification === undefined)
        return dynalite.run('updateTable', update);
      if (DeletionProtectionEnabled !== undefined)
        await settings.change(table, { deletionProtection: DeletionProtectionEnabled });
      if (StreamSpecification?.StreamEnabled && StreamSpecification.StreamViewType !== undefined)
        await enableStream(table, StreamSpecification.StreamViewType);
      return { TableDescription: describe(table) };
    },
    async DeleteTable({ TableName }: Named) {
      const table = await find(TableName);
      const { deletionProtection, recoverableSince } = settings.of(TableName) ?? {};
      if (deletionProtection) {
        const reason = 'Resource cannot be deleted as it is currently protected against deletion.';
        throw new AwsError('ValidationException', `${reason} Disable deletion protection first.`);
      }
      if (recoverableSince !== undefined) await recovery.keepBackup(table);
      await settings.forget(TableName);
      return dynalite.run('deleteTable', { TableName });
    },
    async UpdateTimeToLive({ TableName, TimeToLiveSpecification }: ExpiryUpdate) {
      const { Enabled, AttributeName } = TimeToLiveSpecification;
      const isOn = settings.of(TableName)?.expiryAttribute !== undefined;
      if (Enabled === isOn) {
        const state = isOn ? 'enabled' : 'disabled';
        throw new AwsError('ValidationException', `TimeToLive is already ${state}`);
      }
      await settings.change(await find(TableName), { expiryAttribute: Enabled ? AttributeName : undefined });
      return { TimeToLiveSpecification };
    },
    async PutResourcePolicy({ ResourceArn, Policy }: { ResourceArn: string; Policy: string }) {
      await settings.change(await find(nameIn(ResourceArn)), { policy: Policy });
      return {};
    },
    async GetResourcePolicy({ ResourceArn }: { ResourceArn: string }) {
      await find(nameIn(ResourceArn));
      const Policy = settings.of(nameIn(ResourceArn))?.policy;
      if (Policy !== undefined) return { Policy };
      throw new AwsError('PolicyNotFoundException', `No policy found for ${ResourceArn}`);
    },
    async DescribeTimeToLive({ TableName }: Named) {
      await find(TableName);
      const AttributeName = settings.of(TableName)?.expiryAttribute;
      const TimeToLiveStatus = AttributeName === undefined ? 'DISABLED' : 'ENABLED';
      return { TimeToLiveDescription: { TimeToLiveStatus, ...(AttributeName && { AttributeName }) } };
    },
  };
}

const nameIn = (arn: string): string => arn.split('/').at(-1) ?? '';
