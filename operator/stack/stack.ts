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
export function outputOf({ outputs, name, localUrl }: Stack, output: string): string {
  const value = outputs[output];
  if (value !== undefined && value !== '') return value;
  const message =
    output === 'TokenSecretArn'
      ? `${name} has no OAuth token, because it calls the payment service with the private key. ` +
        (localUrl === undefined
          ? 'To use OAuth, set paymentServiceAuthentication=oauth in cdk.json and deploy.'
          : 'To use OAuth, start local mode with: npm start -- --oauth')
      : `${name} has no output ${output}: an older version of payhooks deployed it, so deploy it again.`;
  throw new CommandError('failed', message);
}

/** The command that deploys this stack; without an environment name it deploys production. */
export function deployCommandOf({ name }: Stack): string {
  const environment = name.replace(/^payhooks-/, '');
  const option = environment === 'production' ? '' : ` -c environmentName=${environment}`;
  return `npx cdk deploy${option}`;
}

/** CloudFormation ignores changes made by hand unless it is run with this option. */
export const revertDriftOf = (stack: Stack): string =>
  `${deployCommandOf(stack)} --revert-drift reverts changes made by hand`;

export const describeStack = ({ name, region, localUrl }: Stack): string =>
  localUrl === undefined ? `${name} in ${region}` : `local mode at ${localUrl}`;

/** The option that names this stack, for suggested commands. */
export const stackOptionOf = ({ name, localUrl }: Stack): string =>
  localUrl === undefined ? `--stack ${shellQuoted(name)}` : `--local ${localUrl}`;

const commandCharactersMax = 4_000;

/** A command to type next, such as `payhooks dlq list`, for this stack. It may hold text from outside. */
export function nextCommand(stack: Stack, command: string, mode: Mode = 'live'): string {
  const sandbox = mode === 'sandbox' ? ' --sandbox' : '';
  return printable(`npx ${command}${sandbox} ${stackOptionOf(stack)}`, commandCharactersMax);
}
