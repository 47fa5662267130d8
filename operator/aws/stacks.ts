import {
  CloudFormationClient,
  paginateDescribeStacks,
  type Stack as StackDescription,
} from '@aws-sdk/client-cloudformation';
import { CommandError } from '../operator-error.ts';
import type { Stack } from '../stack/stack.ts';
import { awsClientOptions } from './client-options.ts';

/** The stack of that name. Rejects with a sentence when there is none. */
export async function describeNamedStack(name: string): Promise<Stack> {
  const { found, region } = await describeStacks({ StackName: name });
  const [stack] = found;
  if (stack !== undefined) return stackOf(stack, region);
  const list = 'To list the stacks: aws cloudformation list-stacks';
  throw new CommandError('failed', `There is no stack ${name} in ${region}. ${list}`);
}

/** The account's stacks of payhooks in one region, by their tag. */
export async function describePayhooksStacks(): Promise<{ stacks: readonly Stack[]; region: string }> {
  const { found, region } = await describeStacks({});
  return { stacks: found.filter(isPayhooks).map((stack) => stackOf(stack, region)), region };
}

async function describeStacks(named: { readonly StackName?: string }) {
  const client = new CloudFormationClient(awsClientOptions);
  const region = await client.config.region();
  const found: StackDescription[] = [];
  try {
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, named)) found.push(...Stacks);
  } catch (cause) {
    if (!(cause instanceof Error) || !/does not exist/.test(cause.message)) throw cause;
  }
  return { found, region };
}

const isPayhooks = ({ Tags = [] }: StackDescription): boolean =>
  Tags.some(({ Key, Value }) => Key === 'application' && Value === 'payhooks');

function stackOf({ StackName = '', Outputs = [], ...found }: StackDescription, region: string): Stack {
  const outputs = Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue] as const);
  const { StackStatus, StackStatusReason } = found;
  const status = [StackStatus, StackStatusReason].filter(Boolean).join(': ');
  return { name: StackName, outputs: Object.fromEntries(outputs), region, status };
}
