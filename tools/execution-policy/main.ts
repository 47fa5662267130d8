/**
 * Writes the least policy for the CloudFormation of one environment, for
 * `cdk bootstrap --cloudformation-execution-policies`:
 *
 * `npm run execution-policy -- --account 111122223333 --region eu-west-1 --folder FOLDER [-c setting=value]`
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { ConfigurationError, readConfiguration, refuseUnknownContext } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { executionPolicies } from './policy.ts';
import type { Template } from './template.ts';

const { account, region, folder, context } = readArguments();
if (!/^\d{12}$/.test(account) || !/^[a-z]{2}(-[a-z]+)+-\d$/.test(region) || folder === '') {
  process.stderr.write(
    `Given --account "${account}" --region "${region}" --folder "${folder}"; ` +
      'expected the 12 digits of an account, a region such as eu-west-1, and a folder for the policies.\n',
  );
  process.exit(2);
}

try {
  const stack = synthesise();
  mkdirSync(folder, { recursive: true });
  const policies = await executionPolicies({ ...stack, account, region });
  for (const [index, policy] of policies.entries()) {
    const file = join(folder, `${stack.stackName}-execution-${index + 1}.json`);
    writeFileSync(file, `${JSON.stringify(policy)}\n`);
    process.stdout.write(`${file}\n`);
  }
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** A wrong option ends the program with the usage, not with a stack trace. */
function readArguments() {
  try {
    const single = { type: 'string', default: '' } as const;
    const context = { type: 'string', short: 'c', multiple: true, default: [] as string[] } as const;
    return parseArgs({ options: { account: single, region: single, folder: single, context } }).values;
  } catch (error) {
    const usage = '--account 111122223333 --region eu-west-1 --folder FOLDER [-c setting=value]';
    process.stderr.write(`${(error as Error).message}\nnpm run execution-policy -- ${usage}\n`);
    process.exit(2);
  }
}

/** The template of the environment in `cdk.json`, without bundles. */
function synthesise(): { readonly stackName: string; readonly template: Template } {
  const outdir = mkdtempSync(join(tmpdir(), 'payhooks-execution-policy-'));
  try {
    const file = join(import.meta.dirname, '..', '..', 'cdk.json');
    const shipped = JSON.parse(readFileSync(file, 'utf8')).context;
    const given = context.map((one) => [one.split('=')[0], one.split('=').slice(1).join('=')]);
    const app = new App({
      outdir,
      context: { ...shipped, ...Object.fromEntries(given), 'aws:cdk:bundling-stacks': [] },
    });
    refuseUnknownContext(Object.keys(app.node.getAllContext()));
    const configuration = readConfiguration((key) => app.node.tryGetContext(key), { account, region });
    const stackName = `payhooks-${configuration.environmentName}`;
    new PayhooksStack(app, stackName, { configuration });
    return { stackName, template: app.synth().getStackByName(stackName).template };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
