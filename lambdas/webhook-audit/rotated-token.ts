import { type Authentication, heldAuthentication } from '@payhooks/payment-service';
import {
  tokenExpiryMarginSeconds,
  tokenRenewalPollMilliseconds,
  tokenRenewalSecondsMax,
} from '../contract/limits.ts';

/** The current version of the token secret, as far as a reader needs it. */
export interface CurrentTokens {
  readonly versionId: string;
  readonly accessToken?: string | undefined;
  /** Milliseconds since the epoch; left out when nobody knows, and then a 401 says it. */
  readonly expiresAt?: number | undefined;
}

export interface RotatedTokenParts {
  /** `undefined` when the secret has no value yet. */
  readonly readTokens: () => Promise<CurrentTokens | undefined>;
  /** Asks for a rotation now. Resolves when one has been started, and as well when one is under way. */
  readonly rotate: () => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** There is no access token to be had. The message says what to do. */
export class TokenRenewalError extends Error {
  override readonly name = 'TokenRenewalError';
}

/**
 * API document 5.3, for readers of the token. Refresh tokens are spent in one place alone, the rotation
 * function; a reader whose access token is missing, expiring or refused asks for a rotation and waits until
 * there is another one. Throws a `TokenRenewalError` when none comes in time.
 */
export function rotatedTokenAuthentication(parts: RotatedTokenParts): Authentication {
  return heldAuthentication<CurrentTokens>({
    isFresh: (tokens) => isUsable(tokens, parts.now() + marginMilliseconds),
    obtain: (former, isRefused) => renewed(parts, isRefused ? former?.accessToken : undefined),
    accessTokenOf: ({ accessToken = '' }) => accessToken,
  });
}

const marginMilliseconds = tokenExpiryMarginSeconds * 1_000;

/** Whether there is an access token that is good until then. */
function isUsable({ accessToken, expiresAt }: CurrentTokens, until: number): boolean {
  return accessToken !== undefined && until < (expiresAt ?? Number.POSITIVE_INFINITY);
}

async function renewed(parts: RotatedTokenParts, refused: string | undefined): Promise<CurrentTokens> {
  const { readTokens, rotate, pause, now } = parts;
  let seen = await readTokens();
  if (seen === undefined) throw new TokenRenewalError('The token secret has no value; put a token in.');
  if (seen.accessToken !== refused && isUsable(seen, now() + marginMilliseconds)) return seen;
  const deadline = now() + tokenRenewalSecondsMax * 1_000;
  const looksMax = (tokenRenewalSecondsMax * 1_000) / tokenRenewalPollMilliseconds;
  await rotate();
  for (let look = 0; look < looksMax && now() < deadline; look += 1) {
    await pause(tokenRenewalPollMilliseconds);
    const latest = await readTokens();
    if (latest === undefined || latest.versionId === seen.versionId) continue;
    // A new token counts however short it lives.
    if (latest.accessToken !== refused && isUsable(latest, now())) return latest;
    // What ended was an older rotation, whose token has expired since, or somebody put in a refresh token.
    seen = latest;
    await rotate();
  }
  throw new TokenRenewalError(
    `The token was not rotated within ${tokenRenewalSecondsMax} seconds; the log of token-refresh says why.`,
  );
}
