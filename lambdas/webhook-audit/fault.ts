import {
  ForbiddenError,
  RefusedKeyError,
  StatusError,
  UnauthenticatedError,
  UnexpectedResponseError,
  UnreachableError,
} from '@payhooks/payment-service';
import { MalformedSecretError } from '../contract/key-secret.ts';
import { MalformedTokenSecretError } from '../contract/token-secret.ts';
import { type Credential, NoLiveKeyError, NoTokenError, TokenRenewalError } from './credential.ts';
import type { Finding } from './finding.ts';

/** Shows how the payment service responds to the credential. */
const checkAccount = ['account'];

/**
 * Why an audit could not finish, and what to do first; `undefined` for an unexpected error, such as a fault
 * of Secrets Manager.
 */
export function faultOf(error: unknown, credential: Credential): Finding | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (refusals.some((refusal) => error instanceof refusal)) {
    return { kind: 'credential_refused', detail: message, fix: adviceFor(error, credential) };
  }
  // The reason of `AbortSignal.timeout`.
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  if (!isLate && !isUnreachable(error)) return undefined;
  const detail = isLate ? 'The payment service took too long to list its webhooks.' : message;
  return { kind: 'service_unreachable', detail, fix: checkAccount };
}

/**
 * A credential that cannot be obtained counts as refused too: a token that is not renewed is no better than
 * one that the service refuses, and its own alarm, RotationFailed, has the reason.
 */
const refusals = [
  ...[UnauthenticatedError, ForbiddenError, RefusedKeyError],
  ...[NoLiveKeyError, MalformedSecretError],
  ...[NoTokenError, TokenRenewalError, MalformedTokenSecretError],
];

function adviceFor(error: Error, { replacement }: Credential): readonly string[] {
  // Another credential does not help an account that is inactive or not verified (API document 7).
  if (error instanceof ForbiddenError) return checkAccount;
  // A renewal by hand shows at once why it fails.
  return error instanceof TokenRenewalError ? ['token', 'refresh'] : replacement;
}

/** Also busy, broken or another server; a response that does not follow the API document counts as none. */
const isUnreachable = (error: Error): boolean =>
  [UnreachableError, UnexpectedResponseError, StatusError].some((kind) => error instanceof kind);
