import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  type StackResource,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { type Adapted, adaptAssembly } from './assembly.ts';
import type { MiniStack } from './ministack.ts';

const repository = join(import.meta.dirname, '..', '..');
const cdkProgram = join(repository, 'node_modules', 'aws-cdk', 'bin', 'cdk');

/** Settings of cdk.json, as `-c setting=value` gives them. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** MiniStack runs each request under way in its own process, so few run at once. */
const settingsHere: Settings = { environmentName: 'development', keepData: false, consumerConcurrencyMax: 4 };
export const stackName = `payhooks-${settingsHere['environmentName']}`;

export interface Deployment {
  readonly outputs: Readonly<Record<string, string>>;
  readonly adapted: Adapted;
}

/** What a client of the AWS SDK needs to reach MiniStack as its root user. */
export function clientOptions({ endpoint, region, certificate }: MiniStack) {
  return {
    endpoint,
    region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    requestHandler: { httpsAgent: new Agent({ ca: certificate.ca }) },
  };
}

/** Prepares the account, in a folder without an app: no other command may write to `cdk.out` at the same time. */
export async function bootstrap(ministack: MiniStack): Promise<void> {
  await cdk(ministack, ['bootstrap', `aws://${ministack.account}/${ministack.region}`], ministack.folder);
}

/** `cdk synth`, then `cdk deploy` of what came out, adapted to MiniStack. A second one is an update. */
export async function deploy(ministack: MiniStack, settings: Settings = {}): Promise<Deployment> {
  return deployAssembly(ministack, await synthesise(ministack, settings));
}

/** `cdk synth`; returns the folder of the cloud assembly. */
export async function synthesise(ministack: MiniStack, settings: Settings = {}): Promise<string> {
  const assembly = await mkdtemp(join(ministack.folder, 'assembly-'));
  const context = Object.entries({ ...settingsHere, ...settings }).map(
    ([name, value]) => `-c=${name}=${value}`,
  );
  await cdk(ministack, ['synth', '--quiet', '--output', assembly, ...context]);
  return assembly;
}

/** The same of an app in this folder. */
export async function synthesiseApp(ministack: MiniStack, file: string): Promise<string> {
  const assembly = await mkdtemp(join(ministack.folder, 'assembly-'));
  const app = `${process.execPath} ${join(import.meta.dirname, file)}`;
  await cdk(ministack, ['synth', '--quiet', '--app', app, '--output', assembly]);
  return assembly;
}

/** Adapts a cloud assembly to MiniStack, then `cdk deploy`. */
export async function deployAssembly(ministack: MiniStack, assembly: string): Promise<Deployment> {
  const adapted = await adaptAssembly(assembly, stackName);
  // `--force`: the CLI compares hashes that the unadapted template has. `--tags` replaces the tags of the stack.
  const flags = ['--method=direct', '--require-approval=never', '--force', '--tags=team=payments'];
  await cdk(ministack, ['deploy', '--app', assembly, ...flags]);
  return { outputs: await readOutputs(ministack), adapted };
}

/** What is deployed, by logical id. */
export async function deployedResources(ministack: MiniStack): Promise<ReadonlyMap<string, StackResource>> {
  const found = await withCloudFormation(ministack, (client) =>
    client.send(new DescribeStackResourcesCommand({ StackName: stackName })),
  );
  return new Map((found.StackResources ?? []).map((resource) => [`${resource.LogicalResourceId}`, resource]));
}

/** The physical id of the resource whose logical id is `beginning` and the hash that CDK appends. */
export async function physicalId(ministack: MiniStack, beginning: string): Promise<string> {
  const ids = [...(await deployedResources(ministack))].filter(
    ([id]) => id.startsWith(beginning) && /^[0-9A-F]{8}$/.test(id.slice(beginning.length)),
  );
  if (ids.length !== 1)
    throw new Error(`${ids.length} resources have a logical id of ${beginning} and a hash.`);
  return `${ids[0]?.[1].PhysicalResourceId}`;
}

/** By name, through the SDK: `cdk destroy` would synthesise once more. */
export async function destroy(ministack: MiniStack): Promise<void> {
  await withCloudFormation(ministack, async (client) => {
    await client.send(new DeleteStackCommand({ StackName: stackName }));
    await waitUntilStackDeleteComplete({ client, maxWaitTime: 60, minDelay: 1 }, { StackName: stackName });
  });
}

async function readOutputs(ministack: MiniStack): Promise<Record<string, string>> {
  const { Stacks = [] } = await withCloudFormation(ministack, (client) =>
    client.send(new DescribeStacksCommand({ StackName: stackName })),
  );
  const outputs = Stacks[0]?.Outputs ?? [];
  return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [`${OutputKey}`, `${OutputValue}`]));
}

async function withCloudFormation<T>(
  ministack: MiniStack,
  use: (client: CloudFormationClient) => Promise<T>,
): Promise<T> {
  const client = new CloudFormationClient(clientOptions(ministack));
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

/** Runs the CDK CLI; rejects with what it printed. */
async function cdk(
  { environment, endpoint }: MiniStack,
  flags: readonly string[],
  cwd: string = repository,
): Promise<void> {
  const env = {
    ...environment,
    // The CLI would look for a newer version of itself on the internet.
    CDK_DISABLE_VERSION_CHECK: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CI: 'true',
  };
  if (!endpoint.startsWith('https://localhost:')) throw new Error('cdk is for loopback alone here.');
  await promisify(execFile)(process.execPath, [cdkProgram, ...flags], {
    cwd,
    env,
    timeout: 180_000,
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`cdk ${flags[0]} failed:\n${error.stdout}${error.stderr}`, { cause: error });
  });
}
