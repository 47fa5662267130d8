import {
  type Authentication,
  heldAuthentication,
  privateKeyAuthentication,
  RefusedKeyError,
} from '@payhooks/payment-service';
import { type PrivateKeyEntry, parseKeySecret } from '../contract/key-secret.ts';
import {
  tokenRenewalPollMilliseconds,
  tokenRenewalSecondsMax,
  tokenRotationsMax,
} from '../contract/limits.ts';
import { isAccepted } from '../domain/signature.ts';
import { type SecretReader, SecretRefusedError } from '../ports/secret-reader.ts';
import type { CurrentTokens, TokenRotation } from '../ports/token-rotation.ts';

/** How calls to the payment service are authenticated (API document 5). */
export interface Credential {
  /** The arguments of the command `payhooks` that replaces it, without the stack. */
  readonly replacement: readonly string[];
  /** To be tried in order, until one is not refused with 401. */
  readonly authentications: () => Promise<readonly Authentication[]>;
}

export const keyCredential = (parts: LiveKeysParts): Credential => ({
  replacement: ['keys', 'set'],
  authentications: () => liveKeyAuthentications(parts),
});

/** Create it once per process: it caches the token. */
export function tokenCredential(parts: RotatedTokenParts): Credential {
  const authentication = rotatedTokenAuthentication(parts);
  return { replacement: ['token', 'set'], authentications: async () => [authentication] };
}

/** There is no private key to call the payment service with. The message has the reason and quotes no key. */
export class NoLiveKeyError extends Error {
  override readonly name = 'NoLiveKeyError';
}

interface LiveKeysParts {
  readonly readSecret: SecretReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The live keys of the secret that are still accepted, in its order: during a rotation the payment service
 * knows only one of them. Sandbox keys are left out, as API v2 rejects them (API document 5.2). Throws a
 * `MalformedSecretError` or a `NoLiveKeyError` when there is none, and what the reader throws.
 */
export async function liveKeyAuthentications({
  readSecret,
  now,
}: LiveKeysParts): Promise<readonly Authentication[]> {
  const entries = parseKeySecret(await withValue(readSecret));
  const usable = entries.filter((entry) => isAccepted(entry, now())).flatMap(authenticationOf);
  if (usable.length > 0) return usable;
  throw new NoLiveKeyError('The key secret holds no live private key that is still accepted.');
}

/** None for a key that API v2 refuses, such as a sandbox key: it must not prevent the use of the others. */
function authenticationOf({ key }: PrivateKeyEntry): readonly Authentication[] {
  try {
    return [privateKeyAuthentication(key)];
  } catch (error) {
    if (error instanceof RefusedKeyError) return [];
    throw error;
  }
}

/** Secrets Manager responds with ResourceNotFoundException for a secret without a value. */
async function withValue(readSecret: SecretReader): Promise<string> {
  try {
    return await readSecret();
  } catch (cause) {
    const isEmpty = cause instanceof SecretRefusedError && cause.code === 'ResourceNotFoundException';
    if (!isEmpty) throw cause;
    throw new NoLiveKeyError('The key secret has no value yet.', { cause });
  }
}

/** There is no token to renew: no rotation can help before an operator stores one. */
export class NoTokenError extends Error {
  override readonly name = 'NoTokenError';
}

/** No access token could be obtained. The message names the next step. */
export class TokenRenewalError extends Error {
  override readonly name = 'TokenRenewalError';
}

export interface RotatedTokenParts extends TokenRotation {
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * API document 5.3, for readers of the token. Only the rotation function spends refresh tokens; a reader
 * whose access token is missing or refused starts a rotation and waits for the next token. It judges no
 * expiry: by a clock that is ahead, every new token would have expired, and each costs a refresh token.
 * Throws a `NoTokenError` when there is nothing to renew, and a `TokenRenewalError` when none arrives.
 */
export function rotatedTokenAuthentication(parts: RotatedTokenParts): Authentication {
  return heldAuthentication<CurrentTokens>({
    isFresh: () => true,
    obtain: (former, isRefused) => renewed(parts, isRefused ? former?.accessToken : undefined),
    accessTokenOf: ({ accessToken = '' }) => accessToken,
  });
}

/** Tokens other than the refused one: the current ones, or those of a rotation that this starts. */
export async function renewed(parts: RotatedTokenParts, refused: string | undefined): Promise<CurrentTokens> {
  const { readTokens, rotate, pause } = parts;
  const isUsable = ({ accessToken }: CurrentTokens) => accessToken !== undefined && accessToken !== refused;
  let seen = await readTokens();
  if (seen === undefined) throw new NoTokenError('The token secret has no value; store a token.');
  if (isUsable(seen)) return seen;
  await rotate();
  let rotations = 1;
  const pollsMax = (tokenRenewalSecondsMax * 1_000) / tokenRenewalPollMilliseconds;
  for (let poll = 0; poll < pollsMax; poll += 1) {
    await pause(tokenRenewalPollMilliseconds);
    const latest = await readTokens();
    if (latest === undefined || latest.versionId === seen.versionId) continue;
    if (isUsable(latest)) return latest;
    // An older rotation ended, or an operator stored another refresh token. A service that issues the same
    // access token again must not cost one refresh token after the other.
    seen = latest;
    if (rotations >= tokenRotationsMax) break;
    rotations += 1;
    await rotate();
  }
  const bounds = `${tokenRenewalSecondsMax} seconds or ${tokenRotationsMax} rotations`;
  throw new TokenRenewalError(`No other access token came within ${bounds}; see the log of token-refresh.`);
}
