import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudFormation,
  paginateListStackResources,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { awsClientOptions } from '../../operator/aws/client-options.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import type { Answer } from './probe.ts';
import { removeWhatProbesMade } from './stack-probes.ts';

const environmentName = 'aws-questions';
export const stackName = `payhooks-${environmentName}`;
const runTag = 'payhooks-run';
const repository = join(import.meta.dirname, '../..');
const deletionSecondsMax = 3_600;
const pollMilliseconds = 5_000;
const pollsMax = (deletionSecondsMax * 1_000) / pollMilliseconds;
const client = new CloudFormation(awsClientOptions);

/** What a run did so far: `--resume` goes on from here. */
export interface RunState {
  /** The tag of its stack. No other stack is ever changed or removed. */
  readonly runId: string;
  readonly account: string;
  readonly region: string;
  readonly privateKey: string;
  deployedAt?: number;
  /** By question. */
  readonly answers: Record<string, Answer>;
}

/** The stack of a run. Rejects for one that another made. */
export async function findOwnStack(runId: string | undefined) {
  const found = await client.describeStacks({ StackName: stackName }).catch((error: Error) => {
    if (!/does not exist/.test(error.message)) throw error;
  });
  const stack = found?.Stacks?.[0];
  const isOwn = stack?.Tags?.some(({ Key, Value }) => Key === runTag && Value === runId);
  if (stack === undefined || isOwn) return stack;
  const message = `There is a stack ${stackName} that this run did not make. Delete it if no one needs it.`;
  throw new CommandError('failed', message);
}

/** Keeps no data. The roles are names: no one has them, and so no one is exempt. */
const settingsIn = (account: string) => ({
  ...{ keepData: false, logRetentionDays: 7, encryptionKeyArn: 'own' },
  ...{ paymentServiceBaseUrl: 'https://payments.invalid', paymentServiceAuthentication: 'oauth' },
  operatorRoleArn: `arn:aws:iam::${account}:role/${stackName}-operator`,
  tableAdminRoleArn: `arn:aws:iam::${account}:role/${stackName}-table-admin`,
});

interface Deploying {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** In place of those of the first deployment. */
  readonly settings?: object;
}

/** Deploys an environment that cdk.json does not list, from a folder of its own. */
export async function deploy(
  { runId, account, region }: RunState,
  { folder: cwd, signal, settings }: Deploying,
): Promise<void> {
  const { context } = JSON.parse(readFileSync(join(repository, 'cdk.json'), 'utf8'));
  const own = {
    environmentName,
    environments: { [environmentName]: { ...settingsIn(account), ...settings } },
  };
  const app = [process.execPath, join(repository, 'bin/app.ts')].map(shellQuoted).join(' ');
  writeFileSync(join(cwd, 'cdk.json'), JSON.stringify({ app, context: { ...context, ...own } }));
  const program = join(repository, 'node_modules/aws-cdk/bin/cdk');
  // A stack of a change set would have no tag until the change set is executed.
  const flags = ['--method=direct', '--require-approval=never', `--tags=${runTag}=${runId}`];
  const env = { ...process.env, AWS_REGION: region, AWS_DEFAULT_REGION: region };
  const stdio: SpawnOptions['stdio'] = ['ignore', 'ignore', 'inherit'];
  const options: SpawnOptions = { cwd, env, signal, killSignal: 'SIGKILL', stdio };
  const [code] = await once(spawn(process.execPath, [program, 'deploy', ...flags], options), 'exit');
  if (code !== 0) throw new CommandError('failed', `cdk deploy ended with ${code}.`);
}

/** Removes everything of a run. Returns what is left, which is nothing. */
export async function remove({ runId, region }: RunState): Promise<readonly string[]> {
  const find = () => pause(pollMilliseconds).then(() => findOwnStack(runId));
  // What was requested just before an interruption may appear a moment later, and goes on in AWS.
  let found = (await findOwnStack(runId)) ?? (await find());
  const isChanging = () => /(CREATE|UPDATE|ROLLBACK|CLEANUP)_IN_PROGRESS$/.test(`${found?.StackStatus}`);
  for (let polls = 0; polls < pollsMax && isChanging(); polls += 1) found = await find();
  await removeWhatProbesMade({ name: stackName, region, outputs: {} });
  const StackName = found?.StackId;
  if (StackName === undefined) return [];
  await client.deleteStack({ StackName });
  await waitUntilStackDeleteComplete({ client, maxWaitTime: deletionSecondsMax, minDelay: 2 }, { StackName });
  const secrets = new SecretsManager({ ...awsClientOptions, region });
  const left: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { ResourceType, PhysicalResourceId: id = '', ResourceStatus } of StackResourceSummaries) {
      if (ResourceStatus !== 'DELETE_COMPLETE') left.push(id);
      else if (ResourceType === 'AWS::SecretsManager::Secret')
        await secrets.deleteSecret({ SecretId: id, ForceDeleteWithoutRecovery: true });
    }
  return left;
}
