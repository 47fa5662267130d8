import {
  type Authentication,
  heldAuthentication,
  privateKeyAuthentication,
  RefusedKeyError,
} from '@payhooks/payment-service';
import { type PrivateKeyEntry, parseKeySecret } from '../contract/key-secret.ts';
import {
  tokenExpiryMarginSeconds,
  tokenRenewalPollMilliseconds,
  tokenRenewalSecondsMax,
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
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * API document 5.3, for readers of the token. Only the rotation function spends refresh tokens; a reader
 * whose access token is missing, expiring or refused starts a rotation and waits for the next token. Throws a
 * `NoTokenError` when there is nothing to renew, and a `TokenRenewalError` when none arrives in time.
 */
export function rotatedTokenAuthentication(parts: RotatedTokenParts): Authentication {
  return heldAuthentication<CurrentTokens>({
    isFresh: (tokens) => isUsable(tokens, parts.now() + marginMilliseconds),
    obtain: (former, isRefused) => renewed(parts, isRefused ? former?.accessToken : undefined),
    accessTokenOf: ({ accessToken = '' }) => accessToken,
  });
}

const marginMilliseconds = tokenExpiryMarginSeconds * 1_000;

/** Whether there is an access token that is valid at that time. */
function isUsable({ accessToken, expiresAt }: CurrentTokens, until: number): boolean {
  return accessToken !== undefined && until < (expiresAt ?? Number.POSITIVE_INFINITY);
}

/** Tokens other than the refused one: the current ones, or those of a rotation that this starts. */
export async function renewed(parts: RotatedTokenParts, refused: string | undefined): Promise<CurrentTokens> {
  const { readTokens, rotate, pause, now } = parts;
  let seen = await readTokens();
  if (seen === undefined) throw new NoTokenError('The token secret has no value; store a token.');
  if (seen.accessToken !== refused && isUsable(seen, now() + marginMilliseconds)) return seen;
  await rotate();
  const pollsMax = (tokenRenewalSecondsMax * 1_000) / tokenRenewalPollMilliseconds;
  for (let poll = 0; poll < pollsMax; poll += 1) {
    await pause(tokenRenewalPollMilliseconds);
    const latest = await readTokens();
    if (latest === undefined || latest.versionId === seen.versionId) continue;
    // A new token counts, however short its lifetime.
    if (latest.accessToken !== refused && isUsable(latest, now())) return latest;
    // An older rotation ended, whose token has expired since, or an operator stored another refresh token.
    seen = latest;
    await rotate();
  }
  throw new TokenRenewalError(
    `The token was not rotated within ${tokenRenewalSecondsMax} seconds; see the log of token-refresh.`,
  );
}
