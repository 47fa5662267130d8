import {
  CloudFormationClient,
  paginateDescribeStacks,
  type Stack as StackDescription,
  UpdateTerminationProtectionCommand,
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

/** `undefined` if there is no stack of that name. */
export async function findNamedStack(name: string): Promise<Stack | undefined> {
  const { found, region } = await describeStacks({ StackName: name });
  return found[0] && stackOf(found[0], region);
}

/** The version of the `cdk bootstrap` with this qualifier, which is a stack; `undefined` if there is none. */
export async function readBootstrapVersion(qualifier: string): Promise<number | undefined> {
  const { found } = await describeStacks({});
  const has = ({ Parameters = [] }: StackDescription) =>
    Parameters.some((one) => one.ParameterKey === 'Qualifier' && one.ParameterValue === qualifier);
  const versions = found.filter(has).flatMap(({ Outputs = [] }) => Outputs);
  const version = versions.find(({ OutputKey }) => OutputKey === 'BootstrapVersion');
  return version && Number(version.OutputValue);
}

export async function removeTerminationProtection({ name }: Stack): Promise<void> {
  const client = new CloudFormationClient(awsClientOptions);
  const change = { StackName: name, EnableTerminationProtection: false };
  await client.send(new UpdateTerminationProtectionCommand(change));
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
