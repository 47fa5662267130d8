import * as v from 'valibot';
import { checkJson, integerFrom, parseJson, textLike } from '../json.ts';
import { tokenPattern } from './authentication.ts';
import { addressOf } from './base-url.ts';
import { createTransport, type TransportOptions } from './call.ts';
import { InvalidRequestError, UnexpectedResponseError } from './errors.ts';
import { readResponse, sourceOf } from './read-response.ts';

const refreshToken = textLike(tokenPattern, 'a token of printable ASCII without spaces');
const accessToken = v.pipe(refreshToken, v.regex(/^(?!pri_)/, 'a token and no private key'));

/** A hundred years: a longer lifetime has no date. */
const lifetimeSecondsMax = 100 * 365 * 24 * 60 * 60;

/** RFC 6749, 5.1: the case of the type does not matter. */
const tokenType = v.pipe(
  textLike(/^bearer$/i, '"Bearer"'),
  v.transform(() => 'Bearer' as const),
);
const lifetime = v.pipe(
  integerFrom(1),
  v.maxValue(lifetimeSecondsMax, `an integer up to ${lifetimeSecondsMax}`),
);

/** API document 2.4. */
const documented = v.object({
  token_type: tokenType,
  expires_in: lifetime,
  access_token: accessToken,
  refresh_token: refreshToken,
});

const orUndefined = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined);

/** The new refresh token is the only copy: nothing in the response may keep it from its owner. */
const kept = v.object({
  token_type: orUndefined(tokenType),
  expires_in: orUndefined(lifetime),
  access_token: orUndefined(accessToken),
  // Whatever its characters: it goes into a form, never into a header.
  refresh_token: v.pipe(v.string(), v.nonEmpty('a token')),
});

/** What is not as in 2.4 is `undefined`, except for the refresh token, which is always there. */
export type TokenResponse = Readonly<v.InferOutput<typeof kept>> & {
  /** How the response contradicts the API document. Judge it after the refresh token is stored. */
  readonly contradiction?: UnexpectedResponseError;
};

export interface Tokens {
  readonly refresh_token: string;
  /** Left out when the response had no usable one. */
  readonly access_token?: string;
  /** Milliseconds since the epoch; left out when the lifetime is not known. */
  readonly expires_at?: number;
}

/** The lifetime counts from the moment the request was sent: the token cannot be older than that. */
export function tokensOf(response: TokenResponse, sentAt: number): Tokens {
  const { access_token, refresh_token, expires_in } = response;
  return {
    refresh_token,
    ...(access_token !== undefined && { access_token }),
    ...(expires_in !== undefined && { expires_at: sentAt + expires_in * 1_000 }),
  };
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
    const tokens = readResponse(operation, response, kept);
    const checked = checkJson(documented, parseJson(response.body));
    if (checked.ok) return tokens;
    const source = sourceOf(operation, response.status);
    return { ...tokens, contradiction: new UnexpectedResponseError(source, checked.mismatch) };
  };
}
