import type { TableDescription } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { variables } from '../../lambdas/contract/environment.ts';
import { changesIndexName, receiptsIndexName, waitingIndexName } from '../../lambdas/contract/schema.ts';
import { type Deployed, ofType, resolverOf } from '../aws/deployed-resources.ts';
import { featuresOf, missingFeatures, type TableFeatures } from '../aws/table-features.ts';
import { openTables, type Tables } from '../aws/tables.ts';
import { nextCommand, revertDriftOf, type Stack } from '../stack/stack.ts';
import { policyFaults, type Statement, statementsOf } from './policy.ts';
import type { Fault, Safeguard } from './safeguard.ts';

/** What a table must have. */
interface WantedTable extends TableFeatures {
  readonly name: string;
  readonly indexNames: readonly string[];
  /** Not in the template, so no deployment changes it. */
  readonly isAdopted: boolean;
  /** Of its policy; `undefined` where that is not ours, or local mode has none. */
  readonly statements: readonly Statement[] | undefined;
}

/** The tables are all that cannot be made again. */
export const tables: Safeguard = {
  type: 'AWS::DynamoDB::Table',
  async inspect(deployed) {
    const opened = openTables(deployed.stack);
    const wanted = wantedTables(deployed);
    return (await Promise.all(wanted.map((table) => faultsOf(opened, deployed, table)))).flat();
  },
};

const tableProperties = v.object({
  DeletionProtectionEnabled: v.optional(v.boolean(), false),
  PointInTimeRecoverySpecification: v.optional(
    v.object({ PointInTimeRecoveryEnabled: v.optional(v.boolean(), false) }),
    {},
  ),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.optional(v.string()) })),
  StreamSpecification: v.optional(v.unknown()),
  ResourcePolicy: v.optional(v.object({ PolicyDocument: v.unknown() })),
  GlobalSecondaryIndexes: v.optional(v.array(v.object({ IndexName: v.string() })), []),
});

function wantedTables(deployed: Deployed): WantedTable[] {
  const own = ofType(deployed, 'AWS::DynamoDB::Table').map(({ physicalId, properties }): WantedTable => {
    const wanted = v.parse(tableProperties, properties);
    return {
      name: physicalId,
      isProtected: wanted.DeletionProtectionEnabled,
      isRecoverable: wanted.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
      expiryAttribute: wanted.TimeToLiveSpecification?.AttributeName,
      hasStream: wanted.StreamSpecification !== undefined,
      indexNames: wanted.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName),
      isAdopted: false,
      statements:
        deployed.stack.localUrl === undefined
          ? statementsOf(resolverOf(deployed)(wanted.ResourcePolicy?.PolicyDocument))
          : undefined,
    };
  });
  return [...own, ...adoptedTables(deployed, own)];
}

/** A table that the stack only uses is not in its template, but must have the same. */
function adoptedTables(deployed: Deployed, own: readonly WantedTable[]): WantedTable[] {
  const { outputs } = deployed.stack;
  const hasChanges = !ofType(deployed, 'AWS::Lambda::Function').some(({ properties }) =>
    JSON.stringify(properties['Environment'] ?? {}).includes(variables.noChangesIndex),
  );
  const all = [
    {
      name: outputs['EventsTableName'],
      ...featuresOf.events,
      indexNames: [waitingIndexName, receiptsIndexName],
    },
    {
      name: outputs['OrdersTableName'],
      ...featuresOf.orders,
      indexNames: hasChanges ? [changesIndexName] : [],
    },
  ];
  return all.flatMap(({ name, ...table }) =>
    name === undefined || own.some((one) => one.name === name)
      ? []
      : [{ name, ...table, isAdopted: true, statements: undefined }],
  );
}

async function faultsOf(opened: Tables, { stack }: Deployed, wanted: WantedTable): Promise<Fault[]> {
  const { name } = wanted;
  const table = await opened.describe(name);
  if (table === undefined) {
    const restore = `${nextCommand(stack, 'payhooks restore')} (docs/recovery.md)`;
    return [{ message: `the table ${name} was deleted`, fix: restore }];
  }
  const missing = await missingFeatures(opened, table, wanted);
  const faults = missing.map(({ feature, message, does, add }) =>
    feature === 'stream'
      ? { message, fix: streamFix(stack, wanted) }
      : { message, repair: { does, run: add } },
  );
  return [...faults, ...indexFaults(table, wanted), ...(await policyFaultsOf(opened, table, wanted))];
}

async function policyFaultsOf(
  opened: Tables,
  { TableArn = '' }: TableDescription,
  { name, statements }: WantedTable,
): Promise<readonly Fault[]> {
  if (statements === undefined) return [];
  const found = statementsOf(await opened.policy(TableArn));
  return policyFaults({ what: `the table ${name}`, wanted: statements, found });
}

/** A new stream has another ARN, which mapping and role must name. */
const streamFix = (stack: Stack, { name, isAdopted }: WantedTable): string =>
  isAdopted
    ? `aws dynamodb update-table --table-name ${name} --stream-specification ` +
      'StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES, then deploy with its ARN as ordersTableStreamArn'
    : revertDriftOf(stack);

function indexFaults({ GlobalSecondaryIndexes = [] }: TableDescription, wanted: WantedTable): Fault[] {
  return wanted.indexNames
    .filter((name) => !GlobalSecondaryIndexes.some(({ IndexName }) => IndexName === name))
    .map((name) => ({
      message: `the table ${wanted.name} has no index ${name}, so what reads it fails`,
      fix: `add the index ${name} as lib/tables.ts has it, or restore the table with its indexes`,
    }));
}
