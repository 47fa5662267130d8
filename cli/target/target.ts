import { addressOf } from '../../lambdas/contract/deployment-address.ts';
import { explainAwsError } from '../../operator/aws/errors.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { findLocalMode, probeLocalMode } from '../../operator/stack/local-mode.ts';
import { describeStack, type Stack } from '../../operator/stack/stack.ts';
import { type CommonOptions, type Process, stackVariable, variable } from '../session.ts';

/** The name of the stack that local mode runs. */
const localStackName = 'payhooks-local';

/** The stack that a command works on, which it prints. */
export async function findStack(process: Process, options: CommonOptions): Promise<Stack> {
  const isNamed = options.stack !== undefined || options.local !== undefined;
  const named = isNamed ? undefined : variable(process, stackVariable);
  const stack = await stackOf(process, named === undefined ? options : { ...options, stack: named });
  const why = named === undefined ? '' : ` (${stackVariable})`;
  if (!options.json) process.terminal.note(`${describeStack(stack)}${why}`);
  return stack;
}

/** The stack that the options name, or else a running local mode, or else the only stack in AWS. */
async function stackOf(
  { terminal, defaultLocalUrl }: Process,
  { stack, local }: CommonOptions,
): Promise<Stack> {
  if (stack === '') throw new CommandError('wrongUsage', '--stack is empty; expected the name of a stack.');
  if (local !== undefined) return findLocalMode(local === true ? defaultLocalUrl : local);
  // The commands that local mode suggests name its stack.
  if (stack === localStackName) return findLocalMode(defaultLocalUrl);
  const running = stack === undefined && (await probeLocalMode(defaultLocalUrl));
  if (running) return running;
  // Loaded when it is needed: loading the SDK takes longer than a request to local mode.
  const { describeNamedStack, describePayhooksStacks } = await import('../../operator/aws/stacks.ts');
  if (stack !== undefined) return describeNamedStack(stack);
  terminal.progress('Looking for a deployed stack …');
  const { stacks, region } = await describePayhooksStacks().catch((error: unknown) => {
    throw withLocalMode(error, defaultLocalUrl);
  });
  const [only, ...others] = stacks;
  if (only === undefined) {
    const message =
      `No local mode runs at ${defaultLocalUrl}, and no stack in ${region} has the output ` +
      'PayhooksDeployment. Start local mode with `npm start`, deploy a stack with `npx cdk deploy`, or ' +
      'choose another region with AWS_REGION.';
    throw new CommandError('failed', message);
  }
  if (others.length === 0) return only;
  const names = stacks.map((one) => `  --stack ${addressOf(one)}`).join('\n');
  const message = `There are ${stacks.length} payhooks stacks in ${region}; choose one`;
  throw new CommandError('wrongUsage', `${message}, or set ${stackVariable}:\n${names}`);
}

/** Without local mode and without AWS, a newcomer needs to know about both. */
function withLocalMode(error: unknown, localUrl: string): unknown {
  const explained = explainAwsError(error);
  if (explained === undefined) return error;
  const start = '`npm start` starts one; for another address add --local URL';
  const message = `No local mode runs at ${localUrl} (${start}). ${explained.message}`;
  return new CommandError(explained.failure, message, { cause: error });
}
