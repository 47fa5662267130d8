import {
  ForbiddenError,
  RefusedKeyError,
  StatusError,
  TokenStoreError,
  UnauthenticatedError,
  UnexpectedAnswerError,
  UnreachableError,
} from '@payhooks/payment-service';
import { MalformedSecretError } from '../contract/key-secret.ts';
import { MalformedTokenSecretError } from '../contract/token-secret.ts';
import type { Credential } from './credential.ts';
import { NoLiveKeyError } from './live-keys.ts';
import { TokenRenewalError } from './rotated-token.ts';

export type FaultKind = 'credential_refused' | 'service_unreachable';

/** Why an audit came to no verdict, and what to do first. */
export interface Fault {
  readonly kind: FaultKind;
  /** A sentence for a person, without any secret. */
  readonly says: string;
  /** The arguments of the command `payhooks` to run first, without the stack. */
  readonly repair: readonly string[];
}

/** Shows what the payment service says of the credential, where that is not known yet. */
const askAgain = ['account'];

/**
 * What an error means to whoever runs payhooks; `undefined` for one that nobody expected, such as a status
 * that no credential and no patience explains, or a fault of Secrets Manager.
 */
export function faultOf(error: unknown, credential: Credential['kind']): Fault | undefined {
  if (isRefusal(error)) {
    return { kind: 'credential_refused', says: error.message, repair: adviceFor(error, credential) };
  }
  // An answer that is not the document's is as good as none.
  if (error instanceof UnexpectedAnswerError || isBusyOrBroken(error)) return unreachable(error.message);
  if (error instanceof UnreachableError) return unreachable(`${error.message}${reasonIn(error.cause)}`);
  if (isTimeUp(error)) return unreachable('The payment service took too long to tell its webhooks.');
  return undefined;
}

const unreachable = (says: string): Fault => ({ kind: 'service_unreachable', says, repair: askAgain });

/**
 * A credential that cannot be had counts as refused, too: a token that nobody renews is no better than one
 * that the service does not take, and its own alarm, TokenRefreshFailed, says why.
 */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof UnauthenticatedError ||
    error instanceof ForbiddenError ||
    error instanceof RefusedKeyError ||
    error instanceof NoLiveKeyError ||
    error instanceof MalformedSecretError ||
    error instanceof TokenStoreError ||
    error instanceof TokenRenewalError ||
    error instanceof MalformedTokenSecretError
  );
}

function adviceFor(error: Error, credential: Credential['kind']): readonly string[] {
  // Another credential does not help an account that is inactive or not verified (API document 7).
  if (error instanceof ForbiddenError) return askAgain;
  if (credential === 'private-key') return ['keys', 'set'];
  // A renewal that is tried by hand says at once what it fails of.
  return [
    'token',
    error instanceof TokenRenewalError || error instanceof TokenStoreError ? 'refresh' : 'set',
  ];
}

const isBusyOrBroken = (error: unknown): error is StatusError =>
  error instanceof StatusError && (error.status >= 500 || error.status === 429);

/** The reason of `AbortSignal.timeout`. */
const isTimeUp = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** What the network said, as ECONNREFUSED, in a sentence: the message of `fetch` itself never tells. */
function reasonIn(cause: unknown, depth = 0): string {
  if (!(cause instanceof Error) || depth > 5) return '';
  const { code } = cause as { readonly code?: unknown };
  if (typeof code === 'string') return ` The network says ${code}.`;
  return reasonIn(cause.cause, depth + 1) || (cause.name === 'TimeoutError' ? ' It took too long.' : '');
}
