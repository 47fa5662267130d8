import { RefusedKeyError } from './errors.ts';
import { field, integerAt, type Place, rootOf, textLike } from './json-place.ts';

/** API document 2.4. */
export interface TokenResponse {
  readonly token_type: 'Bearer';
  /** Lifetime of the access token in seconds. */
  readonly expires_in: number;
  readonly access_token: string;
  readonly refresh_token: string;
}

/** What is kept between two refreshes. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Milliseconds since the epoch. `null` when nobody knows: then a 401 alone says that it has expired. */
  readonly expires_at: number | null;
}

/**
 * Where tokens live. `save` resolves once they are kept for good: the old refresh token is spent by then, and
 * whoever loses the new one needs a person to authorise the account again.
 */
export interface TokenStore {
  readonly load: () => Promise<Tokens | undefined>;
  readonly save: (tokens: Tokens) => Promise<void>;
}

/** What a header can carry, and `fetch` does not quote in an error of its own. */
const tokenPattern = /^[\x21-\x7e]+$/;

export function parseTokenResponse(json: unknown, source = 'a token response'): TokenResponse {
  const response = rootOf(json, source);
  // RFC 6749, 5.1: the case of the type does not matter.
  textLike(field(response, 'token_type'), /^bearer$/i, '"Bearer"');
  return {
    token_type: 'Bearer',
    expires_in: integerAt(field(response, 'expires_in'), 1),
    access_token: tokenAt(field(response, 'access_token')),
    refresh_token: tokenAt(field(response, 'refresh_token')),
  };
}

/** For stores that keep tokens as JSON. */
export function parseTokens(json: unknown, source = 'the stored tokens'): Tokens {
  const tokens = rootOf(json, source);
  const expiry = field(tokens, 'expires_at');
  return {
    access_token: tokenAt(field(tokens, 'access_token')),
    refresh_token: tokenAt(field(tokens, 'refresh_token')),
    expires_at: expiry.value === null || expiry.value === undefined ? null : integerAt(expiry, 0),
  };
}

/** The lifetime counts from the moment the request was sent: the token cannot be older than that. */
export function tokensOf(response: TokenResponse, sentAt: number): Tokens {
  const { access_token, refresh_token, expires_in } = response;
  return { access_token, refresh_token, expires_at: sentAt + expires_in * 1_000 };
}

/** A private key in a token's place would go out as a Bearer credential, a sandbox key among them. */
export function checkAccessToken(token: string): string {
  if (tokenPattern.test(token) && !token.startsWith('pri_')) return token;
  const fault = token.startsWith('pri_') ? 'a private key' : 'not printable ASCII without spaces';
  throw new RefusedKeyError('not_an_access_token', `What was given as the access token is ${fault}.`);
}

const tokenAt = (place: Place): string =>
  textLike(place, tokenPattern, 'a token of printable ASCII without spaces');
