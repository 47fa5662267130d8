import { Stack, Token } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import { pathInStackOf } from './deployment-name.ts';
import type { NodeFunction } from './node-function.ts';
import type { Tables } from './tables.ts';

export interface TableGuard {
  /** The stages that write rows. */
  readonly writers: readonly NodeFunction[];
  /** The stage that erases bodies. */
  readonly eraser: NodeFunction;
  /** The stage that marks orders with attention, in the table of events. */
  readonly marker: NodeFunction;
  readonly configuration: Configuration;
}

/**
 * Denies writing to the tables to everyone but the stages that do it, and the admin of the tables, whatever
 * an identity's policy permits; deleting rows or a table to everyone but the admin, and the stage that erases
 * bodies, which deletes rows of the table of events; recovery, expiry, stream and deletion protection to
 * everyone but the admin and CloudFormation. Expiry, backups and the stream itself need no permission, and a
 * restore makes a new table. An adopted table keeps the policy that it has. Without `tableAdminRoleArn` the
 * account's identity policies decide: a repair must never be impossible.
 */
export function guardTables({ events, orders }: Tables, guard: TableGuard): void {
  const { tableAdminRoleArn: admin, keepData } = guard.configuration;
  if (admin === undefined) return;
  const rolesOf = (stage: NodeFunction) => [stage.role.roleArn, rolesNamedLike(stage)];
  const writers = guard.writers.flatMap(rolesOf);
  // CloudFormation deletes the tables of a throw-away stack.
  const lost = keepData ? [...deletingMany, 'DeleteTable'] : deletingMany;
  for (const table of [events, orders]) {
    if (!(table instanceof Table)) continue;
    const erasers = table === events ? rolesOf(guard.eraser) : [];
    const markers = table === events ? rolesOf(guard.marker) : [];
    table.addToResourcePolicy(denyAllBut([...writers, admin], 'OnlyStagesWrite', writing));
    table.addToResourcePolicy(
      denyAllBut([...writers, ...markers, admin], 'OnlyStagesUpdate', ['UpdateItem']),
    );
    table.addToResourcePolicy(denyAllBut([...erasers, admin], 'OnlyErasureDeletesRows', ['DeleteItem']));
    table.addToResourcePolicy(denyAllBut([admin], 'OnlyAdminDeletes', lost));
    table.addToResourcePolicy(
      denyAllBut([deploymentRole(Stack.of(table)), admin], 'OnlyDeploymentsChangeSettings', settings),
    );
  }
}

/**
 * The role of this stage in any stack of this name, by the name that CloudFormation gives it: a table that a
 * deleted stack has left keeps its policy, and its successor must be able to write.
 */
function rolesNamedLike(writer: NodeFunction): string {
  const { partition, account } = Stack.of(writer);
  return `arn:${partition}:iam::${account}:role/${generatedNamesOf(writer)}`;
}

/** The names that CloudFormation generates for this part of a stack. */
export function generatedNamesOf(part: Construct): string {
  const { stackName } = Stack.of(part);
  // That of a nested stack is not known yet.
  const known = Token.isUnresolved(stackName) ? '' : stackName;
  const isWhole = known !== '' && known.length <= charactersKept;
  const stack = isWhole ? known : `${known.slice(0, charactersKept)}*`;
  return `${stack}-${pathInStackOf(part).slice(0, charactersKept)}*`;
}

/**
 * So many characters of the name of a stack, and of a logical id, are always in the name of a role, which has
 * 64 at most.
 */
const charactersKept = 24;

const writing = ['PutItem', 'PartiQLInsert', 'PartiQLUpdate'];
/** A batch may hold deletions. */
const deletingMany = ['BatchWriteItem', 'PartiQLDelete'];
/** They switch off recovery, expiry, the stream, or the protection from deletion. */
const settings = ['UpdateContinuousBackups', 'UpdateTable', 'UpdateTimeToLive'];

/** The role of CloudFormation that `cdk bootstrap` makes. */
function deploymentRole({ partition, account, synthesizer }: Stack): string {
  const { bootstrapQualifier: qualifier = '*' } = synthesizer;
  return `arn:${partition}:iam::${account}:role/cdk-${qualifier}-cfn-exec-role-${account}-*`;
}

/** AWS's own roles, which no identity can assume; with replicas, one of them copies rows. */
const serviceLinkedRoles = 'arn:*:iam::*:role/aws-service-role/*';

const denyAllBut = (roleArns: readonly string[], sid: string, actions: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    sid,
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: actions.map((action) => `dynamodb:${action}`),
    // The table itself: its own policy cannot name its ARN.
    resources: ['*'],
    conditions: {
      ArnNotLike: { 'aws:PrincipalArn': [...roleArns, serviceLinkedRoles] },
      BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
    },
  });
