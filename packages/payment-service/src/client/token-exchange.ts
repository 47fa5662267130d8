import * as v from 'valibot';
import { integerFrom, textLike } from '../json.ts';
import { tokenPattern } from './authentication.ts';
import { addressOf } from './base-url.ts';
import { createTransport, type TransportOptions } from './call.ts';
import { InvalidRequestError } from './errors.ts';
import { readResponse } from './read-response.ts';

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

export interface TokenExchangeOptions extends TransportOptions {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Spends a refresh token. Store the new one before you do anything else. */
export type TokenExchange = (refreshToken: string) => Promise<TokenResponse>;

/**
 * API document 4.6. It takes no signal: an exchange that is aborted half-way may have spent the refresh token
 * and lost the new one.
 */
export function createTokenExchange(options: TokenExchangeOptions): TokenExchange {
  const { clientId, clientSecret } = options;
  if (clientId === '' || clientSecret === '') {
    throw new InvalidRequestError('The token exchange needs a client id and a client secret.');
  }
  const transport = createTransport(options);
  const url = addressOf(transport.baseUrl, ['oauth', 'token']);
  const operation = 'refreshTokens';

  return async function exchangeToken(refreshToken) {
    if (refreshToken === '') throw new InvalidRequestError('The refresh token is empty.');
    const body = new FormData();
    body.set('client_id', clientId);
    body.set('client_secret', clientSecret);
    body.set('grant_type', 'refresh_token');
    body.set('refresh_token', refreshToken);
    body.set('scope', '');
    // A17: the form proves the client, without an Authorization header.
    const response = await transport.send({ operation, url, body, secrets: [refreshToken, clientSecret] });
    return readResponse(operation, response, tokenResponseSchema);
  };
}
