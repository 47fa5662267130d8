import type { TableDescription } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import {
  changesIndexName,
  eventAttributes,
  orderAttributes,
  waitingIndexName,
} from '../../lambdas/contract/schema.ts';
import { type Deployed, ofType } from '../aws/deployed-resources.ts';
import { openTables, type Tables } from '../aws/tables.ts';
import { counted } from '../check-result.ts';
import { nextCommand, revertDriftOf, type Stack } from '../stack/stack.ts';
import type { Fault, Safeguard } from './safeguard.ts';

/** What a table must have. */
interface WantedTable {
  readonly name: string;
  readonly isProtected: boolean;
  readonly isRecoverable: boolean;
  readonly expiryAttribute?: string | undefined;
  readonly hasStream: boolean;
  readonly indexNames: readonly string[];
  /** Not in the template, so no deployment changes it. */
  readonly isAdopted: boolean;
}

/** The tables are all that cannot be made again. */
export const tables: Safeguard = {
  name: 'tables',
  async inspect(deployed) {
    const opened = openTables(deployed.stack);
    const wanted = wantedTables(deployed);
    const faults = await Promise.all(wanted.map((table) => faultsOf(opened, deployed, table)));
    const isProtected = wanted.some((table) => table.isProtected);
    const kept = isProtected ? 'protected from deletion and recoverable' : 'there; the stack keeps no data';
    return { holds: `${counted(wanted.length, 'table')}: ${kept}`, faults: faults.flat() };
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
    };
  });
  return [...own, ...adoptedTables(deployed, own)];
}

/** A table that the stack only uses is not in its template, but must have the same. */
function adoptedTables({ stack: { outputs } }: Deployed, own: readonly WantedTable[]): WantedTable[] {
  const { EventsTableName, OrdersTableName } = outputs;
  const kept = { isProtected: true, isRecoverable: true, isAdopted: true };
  const events = { expiryAttribute: eventAttributes.expiresAt, hasStream: false };
  const orders = { expiryAttribute: orderAttributes.expiresAt, hasStream: true };
  const all = [
    { name: EventsTableName, ...kept, ...events, indexNames: [waitingIndexName] },
    { name: OrdersTableName, ...kept, ...orders, indexNames: [changesIndexName] },
  ];
  return all.flatMap(({ name, ...table }) =>
    name === undefined || own.some((one) => one.name === name) ? [] : [{ name, ...table }],
  );
}

async function faultsOf(opened: Tables, { stack }: Deployed, wanted: WantedTable): Promise<Fault[]> {
  const { name } = wanted;
  const table = await opened.describe(name);
  if (table === undefined) {
    const restore = `${nextCommand(stack, 'payhooks restore')} (docs/recovery.md)`;
    return [{ message: `the table ${name} was deleted`, fix: restore }];
  }
  const faults = await Promise.all([
    wanted.isProtected ? protectionFaults(opened, name, table) : [],
    wanted.isRecoverable ? recoveryFaults(opened, name) : [],
    wanted.expiryAttribute === undefined ? [] : expiryFaults(opened, name, wanted.expiryAttribute),
  ]);
  return [...faults.flat(), ...streamFaults(stack, table, wanted), ...indexFaults(table, wanted)];
}

function streamFaults(stack: Stack, table: TableDescription, wanted: WantedTable): Fault[] {
  if (!wanted.hasStream || table.StreamSpecification?.StreamEnabled === true) return [];
  const message = `the table ${wanted.name} has no stream, so the order feed publishes nothing`;
  // A new stream has another ARN, which mapping and role must name.
  const enable =
    `aws dynamodb update-table --table-name ${wanted.name} --stream-specification ` +
    'StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES, then deploy with its ARN as ordersTableStreamArn';
  return [{ message, fix: wanted.isAdopted ? enable : revertDriftOf(stack) }];
}

function indexFaults({ GlobalSecondaryIndexes = [] }: TableDescription, wanted: WantedTable): Fault[] {
  return wanted.indexNames
    .filter((name) => !GlobalSecondaryIndexes.some(({ IndexName }) => IndexName === name))
    .map((name) => ({
      message: `the table ${wanted.name} has no index ${name}, so what reads it fails`,
      fix: `add the index ${name} as lib/tables.ts has it, or restore the table with its indexes`,
    }));
}

function protectionFaults(opened: Tables, name: string, table: TableDescription): Fault[] {
  if (table.DeletionProtectionEnabled) return [];
  const repair = { does: 'protect it', run: () => opened.update.protection(name) };
  return [{ message: `the table ${name} is not protected from deletion`, repair }];
}

async function recoveryFaults(opened: Tables, name: string): Promise<Fault[]> {
  if (await opened.recovers(name)) return [];
  const repair = {
    does: 'switch it on; a restore can go back to that moment and no further',
    run: () => opened.update.recovery(name),
  };
  return [{ message: `the table ${name} has no point-in-time recovery`, repair }];
}

async function expiryFaults(opened: Tables, name: string, attribute: string): Promise<Fault[]> {
  if ((await opened.expiry(name)) !== undefined) return [];
  const repair = { does: `expire rows by ${attribute}`, run: () => opened.update.expiry(name, attribute) };
  return [{ message: `rows of the table ${name} do not expire`, repair }];
}
