import { oneLine } from '@payhooks/payment-service';
import { CommandError } from '../operator-error.ts';

const refusals = /ExpiredToken|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|NotAuthorized/;
const connectionFaults =
  /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError|NetworkingError)$/;

/** Whether AWS returned the error of this name. */
export const isAwsError = (error: unknown, name: string): error is Error =>
  error instanceof Error && error.name === name;

/** For `catch`: `undefined` in place of the error of this name. */
export const absentAt =
  (name: string) =>
  (error: unknown): undefined => {
    if (!isAwsError(error, name)) throw error;
  };

/** AWS accepts the credentials, but they lack this permission. SNS uses another name for it. */
export const isMissingPermission = (error: unknown): boolean =>
  error instanceof Error && /^(AccessDenied|AuthorizationError)/.test(error.name);

/** AWS throttles; a later attempt would succeed. */
export const isThrottled = (error: unknown): boolean =>
  error instanceof Error &&
  /Throttl|TooManyRequests|RequestLimitExceeded|LimitExceededException|SlowDown/.test(error.name);

/** What an error of the AWS SDK means to the operator; `undefined` for other errors. */
export function explainAwsError(error: unknown): CommandError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name } = error;
  const message = oneLine(error.message);
  const refused = (text: string) => new CommandError('refused', text);
  if (/region is missing/i.test(message)) {
    const example = 'set AWS_REGION, for example AWS_REGION=eu-west-1.';
    return new CommandError('wrongUsage', `The AWS region is not known: ${example}`);
  }
  if (name === 'CredentialsProviderError') {
    const fix = 'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
    return refused(`There are no AWS credentials: ${message.replace(/\.?$/, '.')} ${fix}`);
  }
  if (isMissingPermission(error)) return refused(`The AWS credentials lack a permission: ${message}`);
  if (refusals.test(name)) return refused(`AWS refused the credentials (${name}): ${message}`);
  const code = 'code' in error ? String(error.code) : '';
  if (connectionFaults.test(name) || connectionFaults.test(code)) {
    return new CommandError('unreachable', `AWS could not be reached (${message || code || name}).`);
  }
  return '$metadata' in error ? new CommandError('failed', `AWS returned ${name}: ${message}`) : undefined;
}
