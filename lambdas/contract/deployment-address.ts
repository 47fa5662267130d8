import { deploymentOutput } from './deployment-metadata.ts';

/** Where a deployment is: a stack and, unless the deployment is the whole stack, a construct in it. */
export interface DeploymentPlace {
  readonly name: string;
  readonly id?: string | undefined;
}

/** What `--stack` takes. */
export const addressOf = ({ name, id }: DeploymentPlace): string => (id ? `${name}/${id}` : name);

/** The ids of the deployments in a stack, by the names of its outputs. That of a whole stack is empty. */
export const deploymentIdsIn = (outputs: readonly string[]): string[] =>
  outputs
    .filter((name) => name.endsWith(deploymentOutput))
    .map((name) => name.slice(0, -deploymentOutput.length));

/** The deployments that `--stack` may mean: that with the address, or all of that stack; without it, all. */
export function deploymentsAt<Place extends DeploymentPlace>(
  address: string | undefined,
  all: readonly Place[],
): readonly Place[] {
  if (address === undefined) return all;
  const exact = all.filter((one) => addressOf(one) === address);
  return exact.length > 0 ? exact : all.filter(({ name }) => name === address);
}
