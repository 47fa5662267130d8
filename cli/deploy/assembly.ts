import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  addressOf,
  type DeploymentPlace,
  deploymentIdsIn,
  deploymentsAt,
} from '../../lambdas/contract/deployment-address.ts';
import { CommandError } from '../../operator/operator-error.ts';

/** A payhooks in a stack of a CDK app. */
export interface SynthesisedDeployment extends DeploymentPlace {
  /** How `cdk deploy` calls the stack; in a Stage that is a path. */
  readonly artifact: string;
  /** `undefined` where the app leaves it to the credentials. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** Of the `cdk bootstrap` that deploys it; without one it needs none. */
  readonly bootstrap: { readonly qualifier: string; readonly version: number } | undefined;
}

const manifestSchema = v.object({
  artifacts: v.record(
    v.string(),
    v.object({
      type: v.string(),
      environment: v.optional(v.string(), ''),
      displayName: v.optional(v.string()),
      properties: v.optional(
        v.object({
          stackName: v.optional(v.string()),
          templateFile: v.optional(v.string(), ''),
          directoryName: v.optional(v.string(), ''),
          requiresBootstrapStackVersion: v.optional(v.number(), 0),
          bootstrapStackVersionSsmParameter: v.optional(v.string(), ''),
        }),
        {},
      ),
    }),
  ),
});

const readJson = async (...path: string[]): Promise<unknown> =>
  JSON.parse(await readFile(join(...path), 'utf8'));

const templateSchema = v.object({ Outputs: v.optional(v.record(v.string(), v.unknown()), {}) });

/** The deployments in the stacks of a cloud assembly, also of those in a Stage. */
async function readDeployments(folder: string): Promise<readonly SynthesisedDeployment[]> {
  const { artifacts } = v.parse(manifestSchema, await readJson(folder, 'manifest.json'));
  const found = Object.entries(artifacts).map(async ([artifactId, { type, properties, ...artifact }]) => {
    if (type === 'cdk:cloud-assembly') return readDeployments(join(folder, properties.directoryName));
    if (type !== 'aws:cloudformation:stack') return [];
    const { Outputs } = v.parse(templateSchema, await readJson(folder, properties.templateFile));
    const [, account, region] = /^aws:\/\/([^/]*)\/(.*)$/.exec(artifact.environment) ?? [];
    const known = (part: string | undefined) => (part?.startsWith('unknown-') ? undefined : part);
    const { bootstrapStackVersionSsmParameter: parameter } = properties;
    const [, qualifier] = /^\/cdk-bootstrap\/(.*)\/version$/.exec(parameter) ?? [];
    const version = properties.requiresBootstrapStackVersion;
    const stack = {
      ...{ artifact: artifact.displayName ?? artifactId, name: properties.stackName ?? artifactId },
      ...{ account: known(account), region: known(region) },
      bootstrap: qualifier === undefined ? undefined : { qualifier, version },
    };
    return deploymentIdsIn(Object.keys(Outputs)).map((id) => ({ ...stack, id }));
  });
  return (await Promise.all(found)).flat();
}

/** The deployment that is wanted, or else the only one. Rejects with the addresses of all. */
export async function findDeployment(folder: string, wanted?: string): Promise<SynthesisedDeployment> {
  const all = await readDeployments(folder);
  if (all.length === 0) throw new CommandError('failed', 'No stack of this CDK app holds payhooks.');
  // Stacks of one name may be in several regions: CDK has an id for each.
  const named = deploymentsAt(wanted, all);
  const byArtifact = all.filter(({ artifact }) => artifact === wanted);
  const [only, ...others] = named.length === 1 || byArtifact.length === 0 ? named : byArtifact;
  if (only !== undefined && others.length === 0) return only;
  const isShared = new Set(all.map(addressOf)).size < all.length;
  const addresses = all.map((one) => (isShared ? one.artifact : addressOf(one))).join(', ');
  if (others.length > 0) throw new CommandError('wrongUsage', `Choose one with --stack: ${addresses}.`);
  const hint = 'If the app chooses its stack by context, add it, such as -c environmentName=development.';
  throw new CommandError('wrongUsage', `The app has no payhooks ${wanted}; it has ${addresses}. ${hint}`);
}
