import { type Assembly, type Choose, SynthesisError } from '@payhooks/cdk-local';
import { addressOf, deploymentIdsIn, deploymentsAt } from '../../lambdas/contract/deployment-address.ts';
import { deploymentMetadata, deploymentOutput } from '../../lambdas/contract/deployment-metadata.ts';

/** Which deployment of an app runs, where it has several. */
export interface DeploymentChoice {
  /** As the command line names one: a stack, and after a slash the id of the deployment in it. */
  readonly stack?: string | undefined;
}

interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

interface Resource {
  readonly Type: string;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

interface Deployment {
  readonly assembly: Assembly;
  readonly template: Template;
  /** Of its stack. */
  readonly name: string;
  readonly id: string;
  readonly deploymentName: string;
}

/**
 * Chooses the deployment to run, and leaves everything else out of its stack: what an app adds need not have
 * a counterpart here. `onLeftOut` receives a sentence about it.
 */
export function chooseDeployment(choice: DeploymentChoice, onLeftOut: (sentence: string) => void): Choose {
  return function choose(assemblies) {
    const deployment = only(assemblies.flatMap(deploymentsIn), choice, assemblies);
    const { assembly, template, id, deploymentName: name } = deployment;
    const isOwn = ({ Metadata }: Resource): boolean => Metadata?.[deploymentMetadata] === name;
    const all = Object.entries(template.Resources);
    const leftOut = [
      ...counted(all.map(([, one]) => one).filter((one) => !isOwn(one) && one.Type !== 'AWS::CDK::Metadata')),
      ...assemblies.filter((one) => one !== assembly).map(({ stackName }) => `the stack ${stackName}`),
    ];
    if (leftOut.length > 0) onLeftOut(`Left out, as no part of ${name}: ${leftOut.join(', ')}.`);
    const Outputs = Object.entries(template.Outputs ?? {})
      .filter(([output]) => output.startsWith(id))
      .map(([output, value]) => [output.slice(id.length), value] as const);
    const Resources = Object.fromEntries(all.filter(([, one]) => isOwn(one)));
    return { ...assembly, namePrefix: name, template: { Resources, Outputs: Object.fromEntries(Outputs) } };
  };
}

function deploymentsIn(assembly: Assembly): readonly Deployment[] {
  const template = assembly.template as Template;
  const outputs = template.Outputs ?? {};
  return deploymentIdsIn(Object.keys(outputs)).map((id) => {
    const deploymentName = String(outputs[`${id}${deploymentOutput}`]?.Value);
    return { assembly, template, name: assembly.stackName, id, deploymentName };
  });
}

function only(
  deployments: readonly Deployment[],
  { stack }: DeploymentChoice,
  assemblies: readonly Assembly[],
): Deployment {
  const [found, ...others] = deploymentsAt(stack, deployments);
  if (found !== undefined && others.length === 0) return found;
  if (deployments.length === 0) {
    const names = assemblies.map(({ stackName }) => stackName).join(', ');
    throw new SynthesisError(`No stack of the app has payhooks in it. Its stacks: ${names}.`);
  }
  const lines = deployments.map((one) => `  --stack ${addressOf(one)}`);
  throw new SynthesisError(`Choose one deployment of the app:\n${lines.join('\n')}`);
}

/** Such as `AWS::S3::Bucket (2)`. */
function counted(resources: readonly Resource[]): readonly string[] {
  const types = Map.groupBy(resources, ({ Type }) => Type);
  return [...types].map(([type, { length }]) => `${type} (${length})`).toSorted();
}
