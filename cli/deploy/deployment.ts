import { setTimeout as pause } from 'node:timers/promises';
import { addressOf } from '../../lambdas/contract/deployment-address.ts';
import { CommandError } from '../../operator/operator-error.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import type { Session } from '../session.ts';
import type { Place } from './account.ts';
import type { SynthesisedDeployment } from './assembly.ts';
import type { Cdk } from './cdk.ts';
import type { DeployOptions } from './steps.ts';

interface Deployment {
  readonly cdk: Cdk;
  readonly wanted: SynthesisedDeployment;
  readonly place: Place;
}

/** Has CDK deploy a stack, which does nothing if nothing has changed. Returns what is deployed then. */
export async function deployStack(
  session: Session,
  options: DeployOptions,
  { cdk, wanted, place }: Deployment,
): Promise<Stack> {
  const { describeNamedStack, findNamedStack, removeTerminationProtection } = await import(
    '../../operator/aws/stacks.ts'
  );
  const look = () => findNamedStack(wanted.name);
  const former = await settled(session, look);
  const [, failure] = /^(ROLLBACK_COMPLETE|ROLLBACK_FAILED|CREATE_FAILED)/.exec(former?.status ?? '') ?? [];
  if (former !== undefined && failure !== undefined) {
    const effect = 'To deploy again, CDK deletes what it left. Remove its termination protection?';
    await session.input.confirm(
      `The first deployment of ${wanted.name} failed (${failure}). ${effect}`,
      options,
    );
    await removeTerminationProtection(former);
  }
  const approval = options.yes ? ['--require-approval', 'never'] : [];
  const region = { AWS_REGION: place.region, AWS_DEFAULT_REGION: place.region };
  await cdk.run(['deploy', wanted.artifact, '--app', 'cdk.out', ...approval], region);
  await settled(session, look);
  return describeNamedStack(addressOf(wanted));
}

/** Waits for a deployment under way, such as one that Ctrl-C left to CloudFormation. */
async function settled({ terminal, waits }: Session, look: () => Promise<Stack | undefined>) {
  for (let polls = 0; polls < deployPollsMax; polls += 1) {
    const stack = await look();
    const [, status] = /^((?!REVIEW)\w+_IN_PROGRESS)/.exec(stack?.status ?? '') ?? [];
    if (status === undefined) return stack;
    terminal.progress(`Waiting for CloudFormation: ${stack?.name} is ${status} …`);
    await pause(waits.deployPollMilliseconds);
  }
  const console = 'the CloudFormation console shows what it waits for';
  throw new CommandError('failed', `CloudFormation has not ended for hours; ${console}.`);
}

/** At five seconds each, some hours: longer than a stack takes. */
const deployPollsMax = 3_000;
