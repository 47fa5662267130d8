import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { awsClientOptions } from './client-options.ts';

export interface DeployedResource {
  readonly logicalId: string;
  /** What AWS calls it: a name, an ARN or an address. */
  readonly physicalId: string;
  readonly type: string;
}

/** What CloudFormation knows of a stack beside its outputs. */
export interface StackState {
  status(): Promise<{ readonly status: string; readonly reason: string | undefined }>;
  /** Of all pages. */
  resources(): Promise<readonly DeployedResource[]>;
}

export function openStackState(name: string): StackState {
  const client = new CloudFormationClient(awsClientOptions);
  return {
    async status() {
      const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
      return { status: stack?.StackStatus ?? 'unknown', reason: stack?.StackStatusReason };
    },
    async resources() {
      const found: DeployedResource[] = [];
      for await (const page of paginateListStackResources({ client }, { StackName: name })) {
        for (const one of page.StackResourceSummaries ?? []) {
          const { LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' } = one;
          found.push({ logicalId: LogicalResourceId, physicalId: PhysicalResourceId, type: ResourceType });
        }
      }
      return found;
    },
  };
}
