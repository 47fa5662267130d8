import { addressOf } from '../../lambdas/contract/deployment-address.ts';
import { deploymentOutput } from '../../lambdas/contract/deployment-metadata.ts';
import type { Mode } from '../../lambdas/domain/signature.ts';
import { CommandError } from '../operator-error.ts';
import { printable } from '../printable.ts';
import { shellQuoted } from '../shell-quoted.ts';

/** The services of AWS that local mode emulates and commands call. */
export const localServices = [
  ...(['cloudFormation', 'dynamodb', 'lambda'] as const),
  ...(['logs', 'scheduler', 'secretsManager', 'sqs'] as const),
] as const;
export type LocalService = (typeof localServices)[number];

export const defaultLocalUrl = 'http://127.0.0.1:4800';

/** A deployed stack, or local mode, which has the same outputs. */
export interface Stack {
  readonly name: string;
  /** The construct in the stack, unless the deployment is the whole stack. */
  readonly id?: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly region: string;
  /** Such as `UPDATE_COMPLETE`, with the reason that CloudFormation gives. */
  readonly status?: string;
  /** The address of local mode; `undefined` for a stack in AWS. */
  readonly localUrl?: string;
  /** The addresses of local mode's services of AWS; `undefined` for a stack in AWS. */
  readonly endpoints?: Readonly<Partial<Record<LocalService, string | undefined>>>;
  /** The address of local mode's payment service, if the outputs have none. */
  readonly serviceUrl?: string;
}

/** The value of an output. Throws for a stack that lacks it. */
export function outputOf(stack: Stack, output: string): string {
  const { outputs, name, localUrl } = stack;
  const value = outputs[output];
  if (value !== undefined && value !== '') return value;
  const message =
    output === 'TokenSecretArn'
      ? `${name} has no OAuth token, because it calls the payment service with the private key. ` +
        (localUrl === undefined
          ? `To use OAuth, set paymentServiceAuthentication=oauth ${settingPlaceOf(stack)} and deploy.`
          : 'To use OAuth, start local mode with: npm start -- --oauth')
      : `${name} has no output ${output}: an older version of payhooks deployed it, so deploy it again.`;
  throw new CommandError('failed', message);
}

/** The environment in cdk.json that the stack is of; `undefined` in an app that embeds payhooks. */
export const environmentOf = ({ name, id }: Stack): string | undefined =>
  id === undefined ? /^payhooks-(.+)$/.exec(name)?.[1] : undefined;

/** Where the settings of this deployment are, for sentences about one. */
export const settingPlaceOf = (stack: Stack): string =>
  environmentOf(stack) === undefined ? 'in the props of Payhooks' : 'in cdk.json';

/** The command that deploys this stack; without an environment name it deploys production. */
export function deployCommandOf(stack: Stack): string {
  const environment = environmentOf(stack);
  const option = environment === undefined ? ` ${stack.name}` : ` -c environmentName=${environment}`;
  return `npx cdk deploy${environment === 'production' ? '' : option}`;
}

/** What physical names begin with. A stack that is being created for the first time has no output yet. */
export const deploymentNameOf = ({ name, outputs }: Stack): string => outputs[deploymentOutput] ?? name;

/** CloudFormation ignores changes made by hand unless it is run with this option. */
export const revertDriftOf = (stack: Stack): string =>
  `${deployCommandOf(stack)} --revert-drift reverts changes made by hand`;

export const describeStack = ({ region, localUrl, ...stack }: Stack): string =>
  localUrl === undefined ? `${addressOf(stack)} in ${region}` : `local mode at ${localUrl}`;

/** The option that names this stack, for suggested commands. */
export const stackOptionOf = ({ localUrl, ...stack }: Stack): string =>
  localUrl === undefined ? `--stack ${shellQuoted(addressOf(stack))}` : `--local ${localUrl}`;

const commandCharactersMax = 4_000;

/** A command to type next, such as `payhooks dlq list`, for this stack. It may hold text from outside. */
export function nextCommand(stack: Stack, command: string, mode: Mode = 'live'): string {
  const sandbox = mode === 'sandbox' ? ' --sandbox' : '';
  return printable(`npx ${command}${sandbox} ${stackOptionOf(stack)}`, commandCharactersMax);
}
