import { type Resource, referenced, type Synthesis } from '../synthesis.ts';
import { list, type Policy } from './policy.ts';

export const account = '111122223333';
export const region = 'eu-central-1';

/** Every policy in a synthesised stack, with its intrinsic functions resolved as if it were deployed. */
export interface StackPolicies {
  /** Roles by the place of their construct. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The ARN of the resource at a place in the construct tree. */
  arnAt(path: string): string;
  /** The policies of the resource with an ARN, or of the one that the ARN is a part of. */
  policiesOf(arn: string): readonly Policy[];
  /** The ARNs of everything in the stack that can be acted on, by place. */
  readonly arns: ReadonlyMap<string, string>;
}

export interface Role {
  readonly arn: string;
  readonly policies: readonly Policy[];
}

/** The part of an ARN after the account, by type; the ones with a function of their own are what `Ref` gives. */
const resourceParts: Readonly<Record<string, (id: string, properties: Resource['Properties']) => string>> = {
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

/** The types whose `Ref` is their ARN. */
const refersByArn = ['AWS::SNS::Topic', 'AWS::SecretsManager::Secret'];

export function readPolicies(stack: Synthesis): StackPolicies {
  const arnOf = (id: string): string => {
    const resource = stack.resources.get(id);
    const part = resourceParts[resource?.Type ?? ''];
    if (resource === undefined || part === undefined) {
      throw new Error(`${id} (${resource?.Type}) has no ARN here; add its type to resourceParts.`);
    }
    return `arn:aws:${part(id, resource.Properties)}`;
  };
  const resolve = createResolver((id, attribute) => {
    const type = stack.resources.get(id)?.Type ?? '';
    if (attribute === undefined) return refersByArn.includes(type) ? arnOf(id) : nameOf(arnOf(id));
    if (attribute === 'StreamArn') return `${arnOf(id)}/stream/2026-11-01T00:00:00.000`;
    // A log group's attribute ends in `:*`, as CloudFormation gives it.
    if (attribute === 'Arn') return type === 'AWS::Logs::LogGroup' ? `${arnOf(id)}:*` : arnOf(id);
    throw new Error(`${id}.${attribute} is not resolved here.`);
  });
  const document = (value: unknown): Policy => resolve(value) as Policy;
  const attached = resourcePolicies(stack, resolve, arnOf);
  const known = [...stack.resources].filter(([, { Type }]) => resourceParts[Type] !== undefined);
  const roles = stack.ofType('AWS::IAM::Role').map(([id]): [string, Role] => {
    const policies = stack
      .ofType('AWS::IAM::Policy')
      .filter(([, { Properties }]) => (Properties['Roles'] as unknown[]).map(referenced).includes(id))
      .map(([, { Properties }]) => document(Properties['PolicyDocument']));
    return [stack.pathOf(id), { arn: arnOf(id), policies }];
  });
  const arns = new Map(known.map(([id]) => [stack.pathOf(id), arnOf(id)]));
  return {
    roles: new Map(roles),
    arns,
    arnAt(path) {
      const arn = arns.get(path);
      if (arn === undefined)
        throw new Error(`No resource at ${path}; there are ${[...arns.keys()].join(', ')}.`);
      return arn;
    },
    policiesOf: (arn) =>
      attached
        .filter(([owner]) => arn === owner || /^[:/]/.test(arn.replace(owner, '')))
        .map(([, policy]) => policy),
  };
}

type Resolve = (value: unknown) => unknown;

/** Each policy that hangs on a resource, with the ARN of that resource. */
function resourcePolicies(
  stack: Synthesis,
  resolve: Resolve,
  arnOf: (id: string) => string,
): [arn: string, policy: Policy][] {
  const hung = (type: string, document: string, owners: (id: string, resource: Resource) => string[]) =>
    stack
      .ofType(type)
      .flatMap(([id, resource]) =>
        resource.Properties[document] === undefined
          ? []
          : owners(id, resource).map((owner): [string, Policy] => [
              arnOf(owner),
              resolve(resource.Properties[document]) as Policy,
            ]),
      );
  const named =
    (property: string) =>
    (_: string, { Properties }: Resource): string[] =>
      list(Properties[property] as unknown[]).map(referenced);
  const itself = (id: string): string[] => [id];
  return [
    ...hung('AWS::SQS::QueuePolicy', 'PolicyDocument', named('Queues')),
    ...hung('AWS::SNS::TopicPolicy', 'PolicyDocument', named('Topics')),
    ...hung('AWS::SecretsManager::ResourcePolicy', 'ResourcePolicy', named('SecretId')),
    ...hung('AWS::DynamoDB::Table', 'ResourcePolicy', itself),
    ...hung('AWS::KMS::Key', 'KeyPolicy', itself),
    ...hung('AWS::IAM::Role', 'AssumeRolePolicyDocument', itself),
    ...stack
      .ofType('AWS::Lambda::Permission')
      .map(([, { Properties }]): [string, Policy] => [
        arnOf(referenced(Properties['FunctionName'])),
        permissionPolicy(resolve(Properties) as Readonly<Record<string, string>>),
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
        ...(SourceArn === undefined ? {} : { ArnLike: { 'aws:SourceArn': SourceArn } }),
        ...(SourceAccount === undefined ? {} : { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
      },
    },
  };
}

/** What `Ref` gives of a resource whose `Ref` is no ARN. */
const nameOf = (arn: string): string => arn.split(/[:/]/).at(-1) ?? '';

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
};

function createResolver(refer: (id: string, attribute: string | undefined) => string): Resolve {
  const resolve: Resolve = (value) => {
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
  return resolve;
}
