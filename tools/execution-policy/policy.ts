import { OptionError } from '../command-line.ts';
import { allow, arnsOf, type Deployment, ofType, resolve, type Statement } from './deployment.ts';
import needs from './resources.json' with { type: 'json' };
import {
  boundaryOf,
  passRoleStatements,
  referenceStatements,
  secretStatements,
  statementsForTheBootstrap,
} from './special-statements.ts';

/** IAM counts the characters of a managed policy without white space. */
const policyCharactersMax = 6_144;

const file = 'tools/execution-policy/resources.json';

interface Need {
  readonly actions: readonly string[];
  /**
   * ARNs without partition, in which NAME stands for the resources of the type; the KEY of the deployment, or
   * the OBJECTS that it names in S3.
   */
  readonly on: readonly string[];
  /** The type of the resources, of which this one is a part. */
  readonly of?: string;
}
/**
 * What CloudFormation calls for each type: its handlers in AWS's registry (`aws cloudformation describe-type
 * --type RESOURCE --type-name NAME`), without what reads events or secrets, or serves properties that are not
 * set here.
 */
const needsByType: Readonly<Record<string, readonly Need[]>> = needs;

/** What CloudFormation needs for every resource of a stack, in documents that IAM accepts. */
export function executionPolicies(deployment: Deployment) {
  const types = new Set(Object.values(deployment.template.Resources).map(({ Type }) => Type));
  const statements = [...types].toSorted().flatMap((type) => {
    const found = needsByType[type];
    if (found === undefined) throw new Error(`${type} is not in ${file}. Add its actions.`);
    return found.flatMap((need) => statementsFor(need, type, deployment));
  });
  return documents([
    ...merged([...statements, allow(useOfAnyService, keysIn(deployment))]),
    ...passRoleStatements(deployment),
    ...referenceStatements(deployment),
    ...statementsForTheBootstrap(deployment),
  ]);
}

function statementsFor(need: Need, type: string, deployment: Deployment): Statement[] {
  const { actions, on, of = type } = need;
  const arns = on.flatMap((pattern) => {
    if (pattern === '*') return ['*'];
    if (pattern === 'KEY') return keysIn(deployment);
    if (pattern === 'OBJECTS') return objectsIn(deployment);
    return arnsOf(pattern, ofType(deployment, of), deployment);
  });
  const service = on[0]?.split(':')[0];
  const others =
    of === type ? [] : propertiesOf(type, deployment).filter((text) => text.split(':')[2] === service);
  const resources = [...new Set([...arns, ...others])].toSorted();
  return actions.flatMap((action) =>
    action.startsWith('secretsmanager:') && on[0] !== '*'
      ? secretStatements(action, resources, deployment)
      : [allow([action], resources, conditionFor(action, deployment))],
  );
}

/** Among them the ARNs of what another stack made, such as adopted secrets, and a resource is a part of. */
const propertiesOf = (type: string, deployment: Deployment): string[] =>
  ofType(deployment, type)
    .flatMap(([, { Properties = {} }]) => Object.values(Properties))
    .flatMap((value) => resolve(value, deployment) ?? []);

/** The assets of functions and the trust store of a domain. */
function objectsIn(deployment: Deployment): string[] {
  const text = JSON.stringify(deployment.template.Resources);
  const stores = [...text.matchAll(/"TruststoreUri":"s3:\/\/([^"]+)"/g)].map(([, object]) => `${object}`);
  const buckets = ofType(deployment, 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
    const { S3Bucket } = (Properties?.['Code'] ?? {}) as { readonly S3Bucket?: unknown };
    return resolve(S3Bucket, deployment) ?? [];
  });
  return [...buckets.map((bucket) => `${bucket}/*`), ...stores].flatMap((object) =>
    arnsOf(`s3:::${object}`, [], deployment),
  );
}

/** The registry does not list them for secrets, whose key is used with the caller's permissions. */
const useOfAnyService = ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey'];

/**
 * A key is known by its ARN. AWS makes the ids of new keys, so that only tags would show the stack's own, and
 * a principal that may tag keys can make any key of the account one of these.
 */
function keysIn(deployment: Deployment): readonly string[] {
  if (ofType(deployment, 'AWS::KMS::Key').length > 0)
    throw new OptionError(
      'The template makes a KMS key. Expected none, because a role that may tag keys could take over any ' +
        'key. Make the key yourself and set encryptionKeyArn to its ARN; with it, set alarmTopicArn to a ' +
        'topic of yours.',
    );
  const text = JSON.stringify(deployment.template.Resources);
  // Only those in a property for keys: that a policy names another key grants nothing here.
  const named = text.matchAll(/"(?:Kms\w*|EncryptionKeyArn)":"(arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+)"/gi);
  return [...new Set([...named].map(([, arn]) => `${arn}`))];
}

const mapping = /^lambda:\w+EventSourceMapping$/;
const underBoundary = ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary'];

function conditionFor(action: string, deployment: Deployment): Statement['Condition'] {
  if (mapping.test(action)) {
    const functions = ofType(deployment, 'AWS::Lambda::Function');
    const arns = arnsOf('lambda:REGION:ACCOUNT:function:NAME', functions, deployment);
    return { ArnLike: { 'lambda:FunctionArn': [...new Set(arns)].toSorted() } };
  }
  const boundary = underBoundary.includes(action) ? boundaryOf(deployment) : undefined;
  return boundary === undefined ? undefined : { StringEquals: { 'iam:PermissionsBoundary': boundary } };
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
