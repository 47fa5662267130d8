import { stackName as localStackName } from '@payhooks/cdk-local';
import { explainAwsError } from '../aws/errors.ts';
import { CommandError } from '../command-error.ts';
import type { CommonOptions, Session } from '../session.ts';
import { findLocalMode, probeLocalMode } from './local-mode.ts';
import { describeStack, type Stack } from './stack.ts';

/** What a command is about. Each part is looked for when a command first needs it, and told once. */
export interface Target {
  readonly stack: () => Promise<Stack>;
}

export function createTarget(session: Session, options: CommonOptions): Target {
  let found: Promise<Stack> | undefined;
  return {
    stack() {
      found ??= findStack(session, options).then((stack) => {
        if (!options.json) session.terminal.tell(describeStack(stack));
        return stack;
      });
      return found;
    },
  };
}

/** The stack that was named, local mode when one runs, or the only stack in the account. */
async function findStack(session: Session, { stack, local }: CommonOptions): Promise<Stack> {
  const { terminal, defaultLocalUrl } = session;
  if (stack === '') throw new CommandError('wrongUsage', '--stack is empty; expected the name of a stack.');
  if (local !== undefined) return findLocalMode(local === true ? defaultLocalUrl : local);
  // Loaded when it is needed: the SDK takes longer to load than local mode to answer.
  const inAws = () => import('../aws/stack-outputs.ts');
  // The commands that local mode advises name its stack.
  if (stack === localStackName) return findLocalMode(defaultLocalUrl);
  if (stack !== undefined) return (await inAws()).describeNamedStack(stack);
  const running = await probeLocalMode(defaultLocalUrl);
  if (running !== undefined) return running;
  terminal.progress('Looking for a deployed stack …');
  const { stacks, region } = await (await inAws())
    .describePayhooksStacks()
    .catch(withAdvice(defaultLocalUrl));
  const [only, ...others] = stacks;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined) {
    const message =
      `No local mode runs at ${defaultLocalUrl}, and no stack in ${region} has the tag ` +
      'application=payhooks. Start one with `npm start`, deploy one with `npx cdk deploy`, or look in ' +
      'another region with AWS_REGION.';
    throw new CommandError('failed', message);
  }
  const names = stacks.map(({ name }) => `  --stack ${name}`).join('\n');
  const message = `There are ${stacks.length} stacks of payhooks in ${region}; say which one:\n${names}`;
  throw new CommandError('wrongUsage', message);
}

/** Without local mode and without AWS a newcomer needs to know of both. */
const withAdvice =
  (localUrl: string) =>
  (cause: unknown): never => {
    const explained = explainAwsError(cause);
    if (explained === undefined) throw cause;
    const asked = `No local mode runs at ${localUrl} (\`npm start\` starts one), and AWS was asked in vain.`;
    throw new CommandError(explained.failure, `${asked} ${explained.message}`, { cause });
  };
