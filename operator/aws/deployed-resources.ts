import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { deploymentMetadata } from '../../lambdas/contract/deployment-metadata.ts';
import { CommandError } from '../operator-error.ts';
import type { Stack } from '../stack/stack.ts';
import { deploymentNameOf, outputOf } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';

export interface DeployedResource {
  readonly logicalId: string;
  /** A name, a URL or an id. */
  readonly physicalId: string;
  readonly type: string;
  /** It is part of another deployment, or an app has added it to the stack. */
  readonly isForeign?: boolean;
  /** When CloudFormation last changed it. */
  readonly deployedAt?: Date | undefined;
  /** As the template has them. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What CloudFormation deployed, as it was deployed: changes made by hand do not show. */
export interface Deployed {
  readonly stack: Stack;
  readonly resources: readonly DeployedResource[];
}

const templateSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Resources: v.record(
      v.string(),
      v.object({
        Properties: v.optional(v.record(v.string(), v.unknown()), {}),
        Metadata: v.optional(v.object({ [deploymentMetadata]: v.optional(v.string()) }), {}),
      }),
    ),
  }),
);

export async function describeDeployed(stack: Stack): Promise<Deployed> {
  const client = new CloudFormationClient(serviceOptions(stack, 'cloudFormation'));
  const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: stack.name }));
  const template = v.safeParse(templateSchema, TemplateBody);
  if (!template.success)
    throw new CommandError('failed', `The template of ${stack.name} is not that of CDK.`);
  const { Resources } = template.output;
  const found = await listResources(stack);
  const deploymentOf = (id: string) => Resources[id]?.Metadata[deploymentMetadata];
  const own = deploymentNameOf(stack);
  // Otherwise nothing would be compared, and all would seem well.
  if (!found.some(({ logicalId }) => deploymentOf(logicalId) === own)) {
    const again = `no resource is marked as part of ${own}; deploy it again with this version`;
    throw new CommandError('failed', `In the template of ${stack.name}, ${again}.`);
  }
  return {
    stack,
    resources: found.map((one) => ({
      ...one,
      isForeign: deploymentOf(one.logicalId) !== own,
      properties: Resources[one.logicalId]?.Properties ?? {},
    })),
  };
}

export type ListedResource = Omit<DeployedResource, 'properties' | 'isForeign'>;

/** Every resource of a stack, without what its template has. */
export async function listResources(stack: Stack): Promise<readonly ListedResource[]> {
  const client = new CloudFormationClient(serviceOptions(stack, 'cloudFormation'));
  const found: ListedResource[] = [];
  const pages = paginateListStackResources({ client }, { StackName: stack.name });
  for await (const { StackResourceSummaries = [] } of pages) {
    for (const one of StackResourceSummaries)
      found.push({
        logicalId: one.LogicalResourceId ?? '',
        type: one.ResourceType ?? '',
        physicalId: one.PhysicalResourceId ?? '',
        deployedAt: one.LastUpdatedTimestamp,
      });
  }
  return found;
}

/** Ours of a type. */
export const ofType = ({ resources }: Deployed, wanted: string): readonly DeployedResource[] =>
  resources.filter(({ type, isForeign }) => type === wanted && !isForeign);

/** Those of a type that refer to a resource in a property, also foreign ones, such as a policy of a role. */
export const referringTo = (
  { resources }: Deployed,
  { logicalId }: DeployedResource,
  [wanted, property]: readonly [type: string, property: string],
): readonly DeployedResource[] =>
  resources.filter(
    ({ type, properties }) =>
      type === wanted && JSON.stringify(properties[property])?.includes(`"${logicalId}"`),
  );

type Resolve = (value: unknown) => unknown;

/** Stands for what only AWS knows, such as the time in the ARN of a stream. */
export const unknownPart = '\u{fffd}';

/** The end of an ARN, by the type of a resource whose physical id is none. */
const arnEnds: Readonly<Record<string, (name: string, place: string) => string>> = {
  'AWS::DynamoDB::Table': (name, place) => `dynamodb:${place}:table/${name}`,
  'AWS::Events::EventBus': (name, place) => `events:${place}:event-bus/${name}`,
  'AWS::Events::Rule': (name, place) => `events:${place}:rule/${name.replace('|', '/')}`,
  'AWS::IAM::Role': (name, place) => `iam::${place.split(':')[1]}:role/${name}`,
  'AWS::KMS::Key': (name, place) => `kms:${place}:key/${name.split('/').at(-1)}`,
  'AWS::Lambda::Function': (name, place) => `lambda:${place}:function:${name}`,
  'AWS::Logs::LogGroup': (name, place) => `logs:${place}:log-group:${name}:*`,
  'AWS::SQS::Queue': (name, place) => `sqs:${place}:${name.split('/').at(-1)}`,
};

/** Replaces what a property of the template refers to by names and ARNs. */
export function resolverOf({ stack, resources }: Deployed): Resolve {
  // The secret is in the account of everything else.
  const [, partition = '', , region = '', account = ''] = outputOf(stack, 'KeySecretArn').split(':');
  const pseudoParameters: Readonly<Record<string, string>> = {
    ...{ 'AWS::AccountId': account, 'AWS::Partition': partition, 'AWS::Region': region },
    ...{ 'AWS::StackName': stack.name, 'AWS::NoValue': '' },
  };
  const find = (id: unknown) => resources.find(({ logicalId }) => logicalId === id);
  const arnOf = ({ type, physicalId }: DeployedResource): string => {
    const end = arnEnds[type]?.(physicalId, `${region}:${account}`);
    return physicalId.startsWith('arn:') || end === undefined ? physicalId : `arn:${partition}:${end}`;
  };
  return function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [[name, argument] = ['', undefined]]: [string, unknown][] = Object.entries(value);
    const [first, second] = Array.isArray(argument) ? argument : [argument];
    if (name === 'Ref') return pseudoParameters[first] ?? find(first)?.physicalId ?? unknownPart;
    if (name === 'Fn::GetAtt') {
      const found = find(first);
      return found === undefined || second !== 'Arn' ? unknownPart : arnOf(found);
    }
    if (name === 'Fn::Join' && Array.isArray(second)) return second.map(resolve).join(String(first));
    if (name.startsWith('Fn::')) return unknownPart;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
  };
}

/** The name or ARN that a property of the template stands for; `undefined` where that is not known. */
export function textIn(deployed: Deployed, value: unknown): string | undefined {
  const text = value === undefined ? undefined : resolverOf(deployed)(value);
  return typeof text === 'string' && !text.includes(unknownPart) ? text : undefined;
}
