import {
  CloudFormationClient,
  paginateDescribeStacks,
  type Stack as StackDescription,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { addressOf, deploymentIdsIn, deploymentsAt } from '../../lambdas/contract/deployment-address.ts';
import { CommandError } from '../operator-error.ts';
import type { Stack } from '../stack/stack.ts';
import { awsClientOptions } from './client-options.ts';

/**
 * The deployment at that address: the name of a stack and, if the stack has other deployments, a slash and
 * the id of its construct. Rejects with a sentence when there is none.
 */
export async function describeNamedStack(address: string): Promise<Stack> {
  const [name = '', id] = address.split('/');
  const { found, region } = await describeStacks({ StackName: name });
  const [stack] = found;
  if (stack === undefined) {
    const list = 'To list the stacks: aws cloudformation list-stacks';
    throw new CommandError('failed', `There is no stack ${name} in ${region}. ${list}`);
  }
  const deployments = deploymentsIn(stack, region);
  const [only, ...others] = deploymentsAt(address, deployments);
  if (only !== undefined && others.length === 0) return only;
  // Before its first deployment has ended, a stack has no outputs.
  if (!stack.Outputs?.length && id === undefined) return stackOf(stack, region);
  const list = deployments.map((one) => `\n  --stack ${addressOf(one)}`).join('') || ' none';
  throw new CommandError('wrongUsage', `${address} is not one deployment of payhooks. ${name} has:${list}`);
}

/** The account's deployments of payhooks in one region, by their outputs. */
export async function describePayhooksStacks(): Promise<{ stacks: readonly Stack[]; region: string }> {
  const { found, region } = await describeStacks({});
  return { stacks: found.flatMap((stack) => deploymentsIn(stack, region)), region };
}

/** The stack as a whole; `undefined` if there is none of that name. */
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

function deploymentsIn(stack: StackDescription, region: string): Stack[] {
  const outputs = (stack.Outputs ?? []).map(({ OutputKey = '' }) => OutputKey);
  return deploymentIdsIn(outputs).map((id) => stackOf(stack, region, id));
}

/** With the outputs that begin with `id`, as if the deployment were the whole stack. */
function stackOf(
  { StackName = '', Outputs = [], ...found }: StackDescription,
  region: string,
  id = '',
): Stack {
  const outputs = Outputs.flatMap(({ OutputKey = '', OutputValue = '' }) =>
    OutputKey.startsWith(id) ? [[OutputKey.slice(id.length), OutputValue] as const] : [],
  );
  const { StackStatus, StackStatusReason } = found;
  const status = [StackStatus, StackStatusReason].filter(Boolean).join(': ');
  return { name: StackName, ...(id && { id }), outputs: Object.fromEntries(outputs), region, status };
}
