import * as v from 'valibot';
import { integerFrom, textLike } from '../json.ts';
import { RefusedKeyError } from './errors.ts';
import { readJson } from './read-response.ts';

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

const tokensSchema = v.object({
  access_token: token,
  refresh_token: token,
  /** Milliseconds since the epoch. `null` when it is not known: the token is then good until a 401. */
  expires_at: v.nullish(integerFrom(0), null),
});

export type TokenResponse = Readonly<v.InferOutput<typeof tokenResponseSchema>>;

/** What is kept between two refreshes. */
export type Tokens = Readonly<v.InferOutput<typeof tokensSchema>>;

/**
 * Where tokens live. `save` resolves once they are stored for good: the old refresh token is spent, and
 * without the new one a person has to authorise the account again.
 */
export interface TokenStore {
  readonly load: () => Promise<Tokens | undefined>;
  readonly save: (tokens: Tokens) => Promise<void>;
}

/** For stores that keep tokens as JSON. */
export const parseTokens = (json: unknown): Tokens => readJson(tokensSchema, json, 'the stored tokens');

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
