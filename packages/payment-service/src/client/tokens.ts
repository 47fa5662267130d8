import * as v from 'valibot';
import { integerFrom, textLike } from '../json.ts';
import { RefusedKeyError } from './errors.ts';

/** The characters that a header can carry, and that `fetch` does not quote in an error. */
const tokenPattern = /^[\x21-\x7e]+$/;
const token = textLike(tokenPattern, 'a token of printable ASCII without spaces');

/** API document 2.4. RFC 6749, 5.1: the case of the type does not matter. */
export const tokenResponseSchema = v.object({
  token_type: v.pipe(
    textLike(/^bearer$/i, '"Bearer"'),
    v.transform(() => 'Bearer' as const),
  ),
  /** Lifetime of the access token in seconds. */
  expires_in: integerFrom(1),
  access_token: token,
  refresh_token: token,
});

export type TokenResponse = Readonly<v.InferOutput<typeof tokenResponseSchema>>;

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

/** The lifetime counts from the moment the request was sent: the token cannot be older than that. */
export function tokensOf(response: TokenResponse, sentAt: number): Tokens {
  const { access_token, refresh_token, expires_in } = response;
  return { access_token, refresh_token, expires_at: sentAt + expires_in * 1_000 };
}

/** A private key, a sandbox key among them, must not go out as a Bearer credential. */
export function checkAccessToken(accessToken: string): string {
  if (tokenPattern.test(accessToken) && !accessToken.startsWith('pri_')) return accessToken;
  const fault = accessToken.startsWith('pri_') ? 'a private key' : 'not printable ASCII without spaces';
  throw new RefusedKeyError(`The given access token is ${fault}.`);
}
