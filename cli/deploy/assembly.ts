import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { deploymentMetadata } from '../../lambdas/contract/deployment-metadata.ts';
import { CommandError } from '../../operator/operator-error.ts';

/** A stack of a CDK app that holds payhooks. */
export interface SynthesisedStack {
  /** How `cdk deploy` calls it; in a Stage that is a path. */
  readonly id: string;
  readonly name: string;
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

/** The stacks of a cloud assembly that hold payhooks, also those in a Stage. */
async function readStacks(folder: string): Promise<readonly SynthesisedStack[]> {
  const { artifacts } = v.parse(manifestSchema, await readJson(folder, 'manifest.json'));
  const found = Object.entries(artifacts).map(async ([id, { type, properties, ...artifact }]) => {
    if (type === 'cdk:cloud-assembly') return readStacks(join(folder, properties.directoryName));
    if (type !== 'aws:cloudformation:stack') return [];
    const template = JSON.stringify(await readJson(folder, properties.templateFile));
    if (!template.includes(`"${deploymentMetadata}":`)) return [];
    const [, account, region] = /^aws:\/\/([^/]*)\/(.*)$/.exec(artifact.environment) ?? [];
    const known = (part: string | undefined) => (part?.startsWith('unknown-') ? undefined : part);
    const [, qualifier] = /^\/cdk-bootstrap\/(.*)\/version$/.exec(
      properties.bootstrapStackVersionSsmParameter,
    ) ?? [undefined, undefined];
    const version = properties.requiresBootstrapStackVersion;
    return [
      {
        ...{ id: artifact.displayName ?? id, name: properties.stackName ?? id },
        ...{ account: known(account), region: known(region) },
        bootstrap: qualifier === undefined ? undefined : { qualifier, version },
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

/** The stack that is wanted, or else the only one. Rejects with the names of those that there are. */
export async function findStack(folder: string, wanted: string | undefined): Promise<SynthesisedStack> {
  const stacks = await readStacks(folder);
  const [stack, ...others] = stacks.filter(({ name }) => wanted === undefined || name === wanted);
  if (stack !== undefined && others.length === 0) return stack;
  const names = stacks.map(({ name }) => name).join(', ');
  if (stacks.length === 0) throw new CommandError('failed', 'No stack of this CDK app holds payhooks.');
  const message =
    wanted === undefined ? `Choose a stack with --stack: ${names}.` : withoutStack(wanted, names);
  throw new CommandError('wrongUsage', message);
}

function withoutStack(wanted: string, names: string): string {
  const hint = 'If the app chooses its stack by context, add it, such as -c environmentName=development.';
  return `The app has no stack ${wanted} with payhooks; it has ${names}. ${hint}`;
}
