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
import type { Credential } from './credential.ts';
import { NoLiveKeyError } from './live-keys.ts';
import { NoTokenError, TokenRenewalError } from './rotated-token.ts';

export type FaultKind = 'credential_refused' | 'service_unreachable';

/** Why an audit could not finish, and what to do first. */
export interface Fault {
  readonly kind: FaultKind;
  /** A sentence for an operator, without secrets. */
  readonly detail: string;
  /** The arguments of the command `payhooks` to run first, without the stack. */
  readonly fix: readonly string[];
}

/** Shows how the payment service responds to the credential. */
const checkAccount = ['account'];

/**
 * What an error means for the operator; `undefined` for an unexpected one, such as a fault of Secrets Manager
 * or a status that neither another credential nor a retry can change.
 */
export function faultOf(error: unknown, credential: Credential['kind']): Fault | undefined {
  if (isRefusal(error)) {
    return { kind: 'credential_refused', detail: error.message, fix: adviceFor(error, credential) };
  }
  // A response that does not follow the API document is treated like none.
  if (error instanceof UnexpectedResponseError || isBusyOrBroken(error)) return unreachable(error.message);
  if (error instanceof UnreachableError) return unreachable(`${error.message}${reasonIn(error.cause)}`);
  if (isTimeUp(error)) return unreachable('The payment service took too long to list its webhooks.');
  return undefined;
}

const unreachable = (detail: string): Fault => ({
  kind: 'service_unreachable',
  detail,
  fix: checkAccount,
});

/**
 * A credential that cannot be obtained counts as refused too: a token that is not renewed is no better than
 * one that the service refuses, and its own alarm, TokenRefreshFailed, has the reason.
 */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof UnauthenticatedError ||
    error instanceof ForbiddenError ||
    error instanceof RefusedKeyError ||
    error instanceof NoLiveKeyError ||
    error instanceof MalformedSecretError ||
    error instanceof NoTokenError ||
    error instanceof TokenRenewalError ||
    error instanceof MalformedTokenSecretError
  );
}

function adviceFor(error: Error, credential: Credential['kind']): readonly string[] {
  // Another credential does not help an account that is inactive or not verified (API document 7).
  if (error instanceof ForbiddenError) return checkAccount;
  if (credential === 'private-key') return ['keys', 'set'];
  // A renewal by hand shows at once why it fails.
  return ['token', error instanceof TokenRenewalError ? 'refresh' : 'set'];
}

const isBusyOrBroken = (error: unknown): error is StatusError =>
  error instanceof StatusError && (error.status >= 500 || error.status === 429);

/** The reason of `AbortSignal.timeout`. */
const isTimeUp = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** The network's error code, such as ECONNREFUSED, in a sentence: the message of `fetch` never has it. */
function reasonIn(cause: unknown, depth = 0): string {
  if (!(cause instanceof Error) || depth > 5) return '';
  const { code } = cause as { readonly code?: unknown };
  if (typeof code === 'string') return ` Network error: ${code}.`;
  return (
    reasonIn(cause.cause, depth + 1) || (cause.name === 'TimeoutError' ? ' The call took too long.' : '')
  );
}
