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
  const StackName = stack.name;
  const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName }));
  const template = v.safeParse(templateSchema, TemplateBody);
  if (!template.success) throw new CommandError('failed', `The template of ${StackName} is not that of CDK.`);
  const resources: DeployedResource[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { LogicalResourceId: logicalId = '', ...summary } of StackResourceSummaries) {
      const { ResourceType: type = '', PhysicalResourceId: physicalId = '' } = summary;
      const properties = template.output.Resources[logicalId]?.Properties ?? {};
      resources.push({ logicalId, physicalId, type, properties });
    }
  }
  return { stack, resources };
}

export const ofType = ({ resources }: Deployed, wanted: string): readonly DeployedResource[] =>
  resources.filter(({ type }) => type === wanted);

/** The ARN that a property of the template stands for: text, or that of a queue or key of the stack. */
export function arnIn({ stack, resources }: Deployed, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const getAtt = v.safeParse(v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }), value);
  const found = getAtt.success
    ? resources.find(({ logicalId }) => logicalId === getAtt.output['Fn::GetAtt'][0])
    : undefined;
  if (found === undefined) return undefined;
  // The secret is in the account of everything else.
  const [, partition, , region, account] = outputOf(stack, 'KeySecretArn').split(':');
  const name = found.physicalId.split('/').at(-1);
  if (found.type === 'AWS::KMS::Key') return `arn:${partition}:kms:${region}:${account}:key/${name}`;
  if (found.type === 'AWS::SQS::Queue') return `arn:${partition}:sqs:${region}:${account}:${name}`;
  return undefined;
}
