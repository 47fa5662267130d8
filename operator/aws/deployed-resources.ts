import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { CommandError } from '../operator-error.ts';
import type { Stack } from '../stack/stack.ts';
import { outputOf } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';

export interface DeployedResource {
  readonly logicalId: string;
  /** A name, a URL or an id. */
  readonly physicalId: string;
  readonly type: string;
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
      v.object({ Properties: v.optional(v.record(v.string(), v.unknown()), {}) }),
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
  return {
    stack,
    resources: found.map((one) => ({ ...one, properties: Resources[one.logicalId]?.Properties ?? {} })),
  };
}

/** The resources of a stack, without their properties. */
export async function listResources(stack: Stack): Promise<readonly Omit<DeployedResource, 'properties'>[]> {
  const client = new CloudFormationClient(serviceOptions(stack, 'cloudFormation'));
  const found: Omit<DeployedResource, 'properties'>[] = [];
  const pages = paginateListStackResources({ client }, { StackName: stack.name });
  for await (const { StackResourceSummaries = [] } of pages) {
    for (const {
      LogicalResourceId: logicalId = '',
      ResourceType: type = '',
      ...one
    } of StackResourceSummaries)
      found.push({ logicalId, physicalId: one.PhysicalResourceId ?? '', type });
  }
  return found;
}

export const ofType = ({ resources }: Deployed, wanted: string): readonly DeployedResource[] =>
  resources.filter(({ type }) => type === wanted);

const reference = v.union([
  v.object({ Ref: v.string() }),
  v.pipe(
    v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }),
    v.transform(({ 'Fn::GetAtt': [Ref] }) => ({ Ref })),
  ),
]);

/** The resource of the stack that a property of the template refers to. */
function resourceIn({ resources }: Deployed, value: unknown): DeployedResource | undefined {
  const found = v.safeParse(reference, value);
  return found.success ? resources.find(({ logicalId }) => logicalId === found.output.Ref) : undefined;
}

/** The name that a property of the template stands for: text, or that of a resource of the stack. */
export const nameIn = (deployed: Deployed, value: unknown): string | undefined =>
  typeof value === 'string' ? value : resourceIn(deployed, value)?.physicalId;

/** The ARN that a property of the template stands for: text, or that of a queue or key of the stack. */
export function arnIn(deployed: Deployed, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const found = resourceIn(deployed, value);
  if (found === undefined) return undefined;
  // The secret is in the account of everything else.
  const [, partition, , region, account] = outputOf(deployed.stack, 'KeySecretArn').split(':');
  const name = found.physicalId.split('/').at(-1);
  if (found.type === 'AWS::KMS::Key') return `arn:${partition}:kms:${region}:${account}:key/${name}`;
  if (found.type === 'AWS::SQS::Queue') return `arn:${partition}:sqs:${region}:${account}:${name}`;
  return undefined;
}
