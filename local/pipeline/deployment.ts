import { type Assembly, type Choose, SynthesisError } from '@payhooks/cdk-local';
import { deploymentMetadata } from '../../lambdas/contract/deployment-metadata.ts';

/** Which deployment of an app runs, where it has several; as the command line names a deployment. */
export interface DeploymentChoice {
  readonly stack?: string | undefined;
  /** What the outputs of the deployment begin with. */
  readonly id?: string | undefined;
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
  readonly id: string;
  readonly name: string;
}

/** Each deployment has this output. */
const nameOutput = /^(\w*)PayhooksDeployment$/;

/**
 * Chooses the deployment to run, and leaves everything else out of its stack: what an app adds need not have
 * a counterpart here. `onLeftOut` receives a sentence about it.
 */
export function chooseDeployment(choice: DeploymentChoice, onLeftOut: (sentence: string) => void): Choose {
  return function choose(assemblies) {
    const deployment = only(assemblies.flatMap(deploymentsIn), choice, assemblies);
    const { assembly, template, id, name } = deployment;
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
  return Object.entries(template.Outputs ?? {}).flatMap(([output, { Value }]) => {
    const [, id] = nameOutput.exec(output) ?? [];
    return id === undefined ? [] : [{ assembly, template, id, name: String(Value) }];
  });
}

function only(
  deployments: readonly Deployment[],
  { stack, id }: DeploymentChoice,
  assemblies: readonly Assembly[],
): Deployment {
  const [found, ...others] = deployments.filter(
    (one) => (stack ?? one.assembly.stackName) === one.assembly.stackName && (id ?? one.id) === one.id,
  );
  if (found !== undefined && others.length === 0) return found;
  if (deployments.length === 0) {
    const names = assemblies.map(({ stackName }) => stackName).join(', ');
    throw new SynthesisError(`No stack of the app has payhooks in it. Its stacks: ${names}.`);
  }
  const lines = deployments.map(
    (one) => `  --stack ${one.assembly.stackName}${one.id === '' ? '' : ` --id ${one.id}`}`,
  );
  throw new SynthesisError(`Choose one deployment of the app:\n${lines.join('\n')}`);
}

/** Such as `AWS::S3::Bucket (2)`. */
function counted(resources: readonly Resource[]): readonly string[] {
  const types = Map.groupBy(resources, ({ Type }) => Type);
  return [...types].map(([type, { length }]) => `${type} (${length})`).toSorted();
}
