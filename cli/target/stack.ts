import { CommandError } from '../command-error.ts';

/** A deployed stack, or local mode, which has the same outputs. */
export interface Stack {
  readonly name: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly region: string;
  /** The address of local mode; not there for a stack in AWS. */
  readonly localUrl?: string;
  /** Where Secrets Manager is, when it is not where the AWS SDK looks. */
  readonly secretsManagerUrl?: string;
  /** The payment service of local mode, for a stack whose outputs name none. */
  readonly serviceUrl?: string;
}

/** Outputs that a setting of the stack decides on, and that setting. */
const settings: Readonly<Record<string, string>> = {
  TokenSecretArn:
    'it asks the payment service with the private key; ' +
    'paymentServiceAuthentication=oauth in cdk.json changes it',
};

/** The value of an output. Rejects the stack of an older payhooks, which lacks it. */
export function outputOf({ outputs, name }: Stack, output: string): string {
  const value = outputs[output];
  if (value !== undefined && value !== '') return value;
  throw new CommandError(
    'failed',
    `${name} has no output ${output}: ` +
      `${settings[output] ?? 'an older payhooks deployed it, so deploy it again'}.`,
  );
}

/** The command that deploys this stack; one that names no environment deploys production. */
export function deployCommandOf({ name }: Stack): string {
  const environment = name.replace(/^payhooks-/, '');
  const option = environment === 'production' ? '' : ` -c environmentName=${environment}`;
  return `npx cdk deploy${option}`;
}

export const describeStack = ({ name, region, localUrl }: Stack): string =>
  localUrl === undefined ? `${name} in ${region}` : `local mode at ${localUrl}`;
