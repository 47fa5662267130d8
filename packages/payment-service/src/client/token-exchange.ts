import { addressOf } from './base-url.ts';
import { InvalidRequestError } from './errors.ts';
import { readResponse } from './read-response.ts';
import { type TokenResponse, tokenResponseSchema } from './tokens.ts';
import { createTransport, type TransportOptions } from './transport.ts';

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
