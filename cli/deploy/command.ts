import { join } from 'node:path';
import type { Check } from '../../operator/check-result.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { printCheck } from '../print-check.ts';
import { privateKeyVariable, type Session, show, stackVariable, variable } from '../session.ts';
import { showStatus } from '../status/command.ts';
import { checkAccount, type Place } from './account.ts';
import { findDeployment } from './assembly.ts';
import { openCdk, StoppedError } from './cdk.ts';
import { deployStack } from './deployment.ts';
import { idleCost } from './idle-cost.ts';
import { setUp } from './set-up.ts';
import type { DeployOptions, Step } from './steps.ts';

const notes = `
Run it in the folder of a CDK app, which has aws-cdk among its packages, with credentials of an administrator.
It synthesises the app, checks credentials, account, region, cdk bootstrap and Lambda quota, deploys, stores
the key, registers the webhook, sends a heartbeat, and shows the status and the cost.

Each step first looks whether it is already done. After an error, or Ctrl-C, run the same command again: what
CloudFormation has begun, it finishes, and this command waits for it.

The key comes from --key-file, from ${privateKeyVariable}, or from a prompt that does not show it.
With --yes, cdk deploy does not ask either, and changes of permissions are not shown.

Exit codes: 0 a heartbeat went through the whole stack; 1 otherwise, or a step failed. A low quota, an alarm
topic without a confirmed subscription, and the status do not change it.
`;

export function define({ command, action }: CommandSetup): void {
  command
    .option(
      '-c, --context <setting=value>',
      'context for the app, such as environmentName=development; may be repeated',
      (given: string, former: readonly string[]) => [...former, given],
      [],
    )
    .option('--key-file <file>', 'read the private key from a file')
    .addOption(yesOption)
    .addHelpText(
      'after',
      notes +
        examplesOf('deploy', 'deploy -c environmentName=development', 'deploy --yes --key-file key.txt'),
    )
    .action(action(deploy));
}

async function deploy(given: Session, options: DeployOptions): Promise<ExitCode> {
  if (options.local !== undefined) {
    throw new CommandError('wrongUsage', 'deploy deploys to AWS and takes no --local; see `npm start`.');
  }
  const session = options.json ? onStandardError(given) : given;
  const { terminal } = session;
  const checks: Check[] = [];
  const step: Step = async (name, work) => {
    terminal.progress(`${name} …`);
    const result = await work();
    checks.push({ name, ...result });
    printCheck(terminal, { name, ...result });
    return result;
  };
  try {
    const { stack, place, results } = await runSteps(session, options, step);
    if (!options.json) await finish(session, options, { stack, place });
    const document = { stack: stack.name, region: stack.region, account: place.account, checks };
    const isSetUp = results.every(({ status }) => status !== 'failed');
    const exitCode = isSetUp ? exitCodes.done : exitCodes.failed;
    return show(given, options, { document, print: () => {}, exitCode });
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    terminal.note(error.message);
    return error.exitCode;
  }
}

async function runSteps(session: Session, options: DeployOptions, step: Step) {
  const folder = process.cwd();
  const { env, input } = session;
  const cdk = openCdk(folder, { env, keepsOutputFree: options.json === true });
  // With a terminal, CDK asks.
  if (!input.isTerminal) await input.confirm(`Deploy the CDK app in ${folder}?`, options);
  const output = join(folder, 'cdk.out');
  const context = options.context.flatMap((setting) => ['-c', setting]);
  await cdk.run(['synth', '--quiet', '--output', output, ...context]);
  const wanted = await findDeployment(output, options.stack ?? variable(session, stackVariable));
  const place = await checkAccount(session, options, { step, cdk, wanted });
  const stack = await deployStack(session, options, { cdk, wanted, place });
  const results = await setUp({ ...session, stack: async () => stack }, options, { step, stack });
  return { stack, place, results };
}

/** What an operator looks at next. */
async function finish(
  session: Session,
  options: DeployOptions,
  { stack, place }: { readonly stack: Stack; readonly place: Place },
): Promise<void> {
  const { terminal } = session;
  terminal.print('');
  await showStatus({ ...session, stack: async () => stack }, options);
  const next = [
    idleCost,
    ...(place.isOfShell ? [] : [`In this shell, other commands need: export AWS_REGION=${place.region}`]),
    `If you have a sandbox key: ${nextCommand(stack, 'payhooks keys set')}`,
    `Pay the smallest amount in your shop, then: ${nextCommand(stack, 'payhooks orders list')}`,
  ];
  for (const line of next) terminal.print(line);
}

/** Standard output stays free for one document. */
const onStandardError = (session: Session): Session => {
  const { terminal } = session;
  return { ...session, terminal: { ...terminal, print: terminal.note, table: () => {} } };
};
