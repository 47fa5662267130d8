import { type Resource, referenced, type Synthesis } from '../synthesis.ts';
import { list, type Policy, type Statement } from './policy.ts';

export const account = '111122223333';
export const region = 'eu-central-1';

export interface Role {
  readonly arn: string;
  readonly policies: readonly Policy[];
}

/** The end of an ARN, by type. */
const arnEnds: Readonly<Record<string, (id: string, properties: Resource['Properties']) => string>> = {
  'AWS::ApiGatewayV2::Api': (id) => `execute-api:${region}:${account}:${id.toLowerCase()}`,
  'AWS::DynamoDB::Table': (id) => `dynamodb:${region}:${account}:table/${id}`,
  'AWS::Events::EventBus': (_, { Name }) => `events:${region}:${account}:event-bus/${Name}`,
  'AWS::Events::Archive': (_, { ArchiveName }) => `events:${region}:${account}:archive/${ArchiveName}`,
  'AWS::Events::Rule': (id) => `events:${region}:${account}:rule/${id}`,
  'AWS::IAM::Role': (id) => `iam::${account}:role/${id}`,
  'AWS::KMS::Key': (id) => `kms:${region}:${account}:key/${id}`,
  'AWS::Lambda::Function': (id) => `lambda:${region}:${account}:function:${id}`,
  'AWS::Logs::LogGroup': (id) => `logs:${region}:${account}:log-group:${id}`,
  'AWS::Scheduler::Schedule': (id) => `scheduler:${region}:${account}:schedule/default/${id}`,
  'AWS::SNS::Topic': (id) => `sns:${region}:${account}:${id}`,
  'AWS::SQS::Queue': (id) => `sqs:${region}:${account}:${id}`,
  'AWS::SecretsManager::Secret': (id) => `secretsmanager:${region}:${account}:secret:${id}-AbCdEf`,
};

/** Their `Ref` is the ARN; that of other types is the last part of the ARN. */
const typesWithArnAsRef = ['AWS::SNS::Topic', 'AWS::SecretsManager::Secret'];

/**
 * The policies of a synthesised stack, with intrinsic functions resolved as CloudFormation would. `adopted`: the ARNs
 * of resources outside the template, by the construct paths that they take.
 */
export function readPolicies(stack: Synthesis, adopted: Readonly<Record<string, string>> = {}) {
  const arnOf = (id: string): string => {
    const { Type = '', Properties = {} } = stack.resources.get(id) ?? {};
    const end = arnEnds[Type];
    if (end === undefined) throw new Error(`${id} (${Type}) has no ARN here; add its type to arnEnds.`);
    return `arn:aws:${end(id, Properties)}`;
  };
  const resolve = createResolver((id, attribute) => {
    const type = stack.resources.get(id)?.Type ?? '';
    const arn = arnOf(id);
    if (attribute === undefined) return typesWithArnAsRef.includes(type) ? arn : lastPart(arn);
    if (attribute === 'StreamArn') return `${arn}/stream/2026-11-01T00:00:00.000`;
    // CloudFormation ends the ARN of a log group with `:*`.
    if (attribute === 'Arn') return type === 'AWS::Logs::LogGroup' ? `${arn}:*` : arn;
    throw new Error(`${id}.${attribute} is not resolved here.`);
  });
  const roles = stack.ofType('AWS::IAM::Role').map(([id]): [string, Role] => {
    const policies = stack
      .propertiesOf('AWS::IAM::Policy')
      .filter(({ Roles }) => (Roles as unknown[]).map(referenced).includes(id))
      .map(({ PolicyDocument }) => resolve(PolicyDocument) as Policy);
    return [stack.pathOf(id), { arn: arnOf(id), policies }];
  });
  const actedOn = [...stack.resources].filter(([, { Type }]) => arnEnds[Type] !== undefined);
  const own = actedOn.map(([id]): [string, string] => [stack.pathOf(id), arnOf(id)]);
  const arns = new Map([...own, ...Object.entries(adopted)]);
  const attached = resourcePolicies(stack, resolve, arnOf);
  const placeOf = (resource: string): string => {
    const [path, arn = ''] = [...arns].find(([, arn]) => isPartOf(resource, arn)) ?? [];
    return path === undefined ? resource : path + resource.slice(arn.length);
  };
  return {
    /** The roles by construct path. */
    roles: new Map(roles),
    /** The ARN of every resource that can be acted on, by construct path. */
    arns,
    arnAt: (path: string): string => adopted[path] ?? arnOf(stack.idAt(path)),
    /**
     * What the policies of a role permit, each as "action on place", sorted. A place is a construct path with the part
     * of the resource and the condition, if there are any; anything that is of no resource of the stack stays as it is.
     */
    grantsOf: (role: string): readonly string[] =>
      (new Map(roles).get(role)?.policies ?? [])
        .flatMap(({ Statement }) => list(Statement))
        .flatMap((statement) =>
          list(statement.Resource ?? []).flatMap((resource) =>
            list(statement.Action).map((action) => {
              return `${action} on ${placeOf(resource)}${conditionOf(statement)}`;
            }),
          ),
        )
        .sort(),
    /** The resource policies that apply to an ARN, which may be that of a part, such as an index. */
    policiesOf: (arn: string): readonly Policy[] =>
      attached.filter(([owner]) => isPartOf(arn, owner)).map(([, policy]) => policy),
  };
}

/** Whether an ARN is this one or that of a part of it, such as an index. */
const isPartOf = (arn: string, whole: string): boolean =>
  arn === whole || (arn.startsWith(whole) && /^[:/]/.test(arn.slice(whole.length)));

/** A statement that is no plain permission is shown as a whole, which is in no list. */
function conditionOf({ Effect, Condition, ...rest }: Statement): string {
  const [operator = 'StringEquals', ...others] = Object.keys(Condition ?? {});
  if (Effect === 'Deny' && Condition === undefined) return ' is denied';
  const isKnown = ['StringEquals', 'ForAllValues:StringLike'].includes(operator);
  const isPlain = Effect === 'Allow' && isKnown && others.length === 0;
  if (!isPlain || Object.keys(rest).some((key) => key.startsWith('Not')))
    return JSON.stringify({ Effect, Condition, ...rest });
  const conditions = Object.entries(Condition?.[operator] ?? {}).map(
    ([key, values]) => `${key} is ${list(values).join(', ')}`,
  );
  return conditions.length === 0 ? '' : ` if ${conditions.join(' and ')}`;
}

type Resolve = (value: unknown) => unknown;

/** Each resource policy with the ARN of its resource. */
function resourcePolicies(
  stack: Synthesis,
  resolve: Resolve,
  arnOf: (id: string) => string,
): [arn: string, policy: Policy][] {
  /** The policies in a property of a type, and the property that names their resources. */
  const inProperty = (type: string, document: string, owners?: string) =>
    stack
      .ofType(type)
      .flatMap(([id, { Properties }]) =>
        Properties[document] === undefined
          ? []
          : (owners === undefined ? [id] : list(Properties[owners] as unknown[]).map(referenced)).map(
              (owner): [string, Policy] => [arnOf(owner), resolve(Properties[document]) as Policy],
            ),
      );
  return [
    ...inProperty('AWS::SQS::QueuePolicy', 'PolicyDocument', 'Queues'),
    ...inProperty('AWS::SNS::TopicPolicy', 'PolicyDocument', 'Topics'),
    ...inProperty('AWS::SecretsManager::ResourcePolicy', 'ResourcePolicy', 'SecretId'),
    ...inProperty('AWS::DynamoDB::Table', 'ResourcePolicy').map(([arn, policy]): [string, Policy] => [
      arn,
      (policy as unknown as { readonly PolicyDocument: Policy }).PolicyDocument,
    ]),
    ...inProperty('AWS::Events::EventBusPolicy', 'Statement', 'EventBusName').map(
      ([arn, statement]): [string, Policy] => [arn, { Statement: statement as unknown as Statement }],
    ),
    ...inProperty('AWS::KMS::Key', 'KeyPolicy'),
    ...inProperty('AWS::IAM::Role', 'AssumeRolePolicyDocument'),
    ...stack
      .propertiesOf('AWS::Lambda::Permission')
      .map((permission): [string, Policy] => [
        arnOf(referenced(permission['FunctionName'])),
        permissionPolicy(resolve(permission) as Readonly<Record<string, string>>),
      ]),
  ];
}

/** The statement that Lambda makes of a permission. */
function permissionPolicy(permission: Readonly<Record<string, string>>): Policy {
  const { Action = '', FunctionName = '', Principal = '', SourceArn, SourceAccount } = permission;
  return {
    Statement: {
      Effect: 'Allow',
      Principal: Principal.endsWith('.amazonaws.com') ? { Service: Principal } : { AWS: Principal },
      Action,
      Resource: FunctionName,
      Condition: {
        ...(SourceArn !== undefined && { ArnLike: { 'aws:SourceArn': SourceArn } }),
        ...(SourceAccount !== undefined && { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
      },
    },
  };
}

const lastPart = (arn: string): string => arn.split(/[:/]/).at(-1) ?? '';

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
};

function createResolver(refer: (id: string, attribute: string | undefined) => string): Resolve {
  return function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { Ref, 'Fn::GetAtt': getAtt, 'Fn::Join': join } = value as Readonly<Record<string, unknown>>;
    if (typeof Ref === 'string') return pseudoParameters[Ref] ?? refer(Ref, undefined);
    if (Array.isArray(getAtt)) return refer(String(getAtt[0]), String(getAtt[1]));
    if (Array.isArray(join)) return (join[1] as unknown[]).map(resolve).join(String(join[0]));
    const other = Object.keys(value).find((key) => key.startsWith('Fn::'));
    if (other !== undefined) throw new Error(`${other} is not resolved here: ${JSON.stringify(value)}.`);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolve(one)]));
  };
}
