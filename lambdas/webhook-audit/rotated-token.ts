import { type Authentication, heldAuthentication } from '@payhooks/payment-service';
import {
  tokenExpiryMarginSeconds,
  tokenRenewalPollMilliseconds,
  tokenRenewalSecondsMax,
} from '../contract/limits.ts';
import type { CurrentTokens, TokenRotation } from '../ports/token-rotation.ts';

export interface RotatedTokenParts extends TokenRotation {
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** There is no token to renew: no rotation can help before an operator stores one. */
export class NoTokenError extends Error {
  override readonly name = 'NoTokenError';
}

/** No access token could be obtained. The message names the next step. */
export class TokenRenewalError extends Error {
  override readonly name = 'TokenRenewalError';
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

async function renewed(parts: RotatedTokenParts, refused: string | undefined): Promise<CurrentTokens> {
  const { readTokens, rotate, pause, now } = parts;
  let seen = await readTokens();
  if (seen === undefined) throw new NoTokenError('The token secret has no value; store a token.');
  if (seen.accessToken !== refused && isUsable(seen, now() + marginMilliseconds)) return seen;
  const deadline = now() + tokenRenewalSecondsMax * 1_000;
  const pollsMax = (tokenRenewalSecondsMax * 1_000) / tokenRenewalPollMilliseconds;
  await rotate();
  for (let poll = 0; poll < pollsMax && now() < deadline; poll += 1) {
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
