import { tokenExchangeHeaders } from './assumptions.ts';
import { addressOf } from './base-url.ts';
import { UnaskableError } from './errors.ts';
import { redactionOf } from './redaction.ts';
import { parseTokenResponse, type TokenResponse } from './tokens.ts';
import { createTransport, jsonOf, sourceOf, type TransportOptions } from './transport.ts';

export interface TokenExchangeOptions extends TransportOptions {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Spends a refresh token. Whoever calls it must keep the new one before anything else happens. */
export type TokenExchange = (refreshToken: string) => Promise<TokenResponse>;

/**
 * API document 4.6. It takes no signal: an exchange that is given up half-way may have spent the refresh
 * token and lost its successor.
 */
export function createTokenExchange(options: TokenExchangeOptions): TokenExchange {
  const { clientId, clientSecret } = options;
  if (clientId === '' || clientSecret === '') {
    throw new UnaskableError('The token exchange needs a client id and a client secret.');
  }
  const transport = createTransport(options);
  const url = addressOf(transport.baseUrl, ['oauth', 'token']);
  return async (refreshToken) => {
    if (refreshToken === '') throw new UnaskableError('The refresh token is empty.');
    const form = new FormData();
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
    form.set('grant_type', 'refresh_token');
    form.set('refresh_token', refreshToken);
    form.set('scope', '');
    const operation = 'refreshTokens';
    const redact = redactionOf([refreshToken, clientSecret]);
    const answer = await transport.send({
      operation,
      url,
      headers: tokenExchangeHeaders,
      body: form,
      redact,
    });
    return parseTokenResponse(jsonOf(operation, answer), sourceOf(operation, answer.status));
  };
}
