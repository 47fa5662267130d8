import { oneLine } from '@payhooks/payment-service';
import type { Outcome } from '../outcome.ts';

const refusals = /ExpiredToken|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|NotAuthorized/;
const connectionFaults =
  /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError|NetworkingError)$/;

/** AWS knows the caller, who lacks this one permission. SNS has a name of its own for it. */
export const isMissingPermission = (error: unknown): boolean =>
  error instanceof Error && /^(AccessDenied|AuthorizationError)/.test(error.name);

/** AWS was asked too often, and would answer later. */
export const isThrottled = (error: unknown): boolean =>
  error instanceof Error &&
  /Throttl|TooManyRequests|RequestLimitExceeded|LimitExceededException|SlowDown/.test(error.name);

/** What an error of the AWS SDK means; `undefined` for other errors. */
export function awsOutcomeOf(error: unknown): Outcome | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  const says = oneLine(message);
  if (/region is missing/i.test(message)) {
    return { exitCode: 2, says: 'The AWS region is not known: set AWS_REGION, as AWS_REGION=eu-west-1.' };
  }
  if (name === 'CredentialsProviderError') {
    return { exitCode: 3, says: `There are no AWS credentials to use: ${says}` };
  }
  if (isMissingPermission(error)) {
    return { exitCode: 3, says: `AWS knows the credentials, and they lack a permission: ${says}` };
  }
  if (refusals.test(name)) return { exitCode: 3, says: `AWS refused the credentials (${name}): ${says}` };
  const codes = [name, 'code' in error ? String(error.code) : ''];
  if (codes.some((code) => connectionFaults.test(code))) {
    return { exitCode: 4, says: `AWS could not be reached (${says || codes.join(' ')}).` };
  }
  return '$metadata' in error ? { exitCode: 1, says: `AWS answered ${name}: ${says}` } : undefined;
}
