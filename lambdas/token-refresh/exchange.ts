import {
  type Authentication,
  createPaymentServiceClient,
  createTokenExchange,
  defaultRetryPolicy,
  type RetryPolicy,
  StatusError,
  type TokenExchange,
  type TokenResponse,
  UnreachableError,
} from '@payhooks/payment-service';
import {
  tokenExchangeAttemptsMax,
  tokenExchangeMillisecondsMax,
  tokenExchangeWaitMillisecondsMax,
} from '../contract/limits.ts';
import type { TokenSecret } from '../contract/token-secret.ts';

/** The exchange (API document 4.6) for a client id and its secret. */
export type Exchanges = (client: Pick<TokenSecret, 'clientId' | 'clientSecret'>) => TokenExchange;

/** The service refused the client or the refresh token. The message has what is known, and what to do. */
export class ExchangeRefusedError extends Error {
  override readonly name = 'ExchangeRefusedError';
}

const keepToken =
  'Correct the client and keep the token: npx payhooks token set --keep-refresh-token --stack NAME.';
const newToken = 'Authorise the account again and store its token: npx payhooks token set --stack NAME.';

const advice = {
  client: `The client id or the client secret is wrong. ${keepToken}`,
  token: `The refresh token is spent, expired or withdrawn. ${newToken}`,
  either:
    'The client id, the client secret or the refresh token is refused; the response does not show which. ' +
    `Compare the client with the one at the payment service. If it differs: ${keepToken} If not: ${newToken}`,
};

/**
 * A20. Exchanges a refresh token; when it is unknown whether the service did it, once more with the same
 * token. Throws an `ExchangeRefusedError` for a client or a token that the service refuses, and otherwise
 * what the client of the payment service throws.
 */
export async function exchangeTokens(exchange: TokenExchange, refreshToken: string): Promise<TokenResponse> {
  try {
    return await exchange(refreshToken);
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw refusalOf(error, '');
  }
  try {
    return await exchange(refreshToken);
  } catch (error) {
    throw refusalOf(error, 'The response to an exchange was lost, then ');
  }
}

/** Any other error stays as it is. */
function refusalOf(error: unknown, before: string): unknown {
  const refused = refusedBy(error);
  if (refused === undefined || !(error instanceof Error)) return error;
  return new ExchangeRefusedError(`${before}${error.message} ${advice[refused]}`, { cause: error });
}

/**
 * What a response is about; `undefined` when it is about neither client nor token, such as a 403 for an
 * inactive account, a redirect or a 404. RFC 6749, 5.2 has a code for each; a 401 without one may be about
 * either. A 400 or 422 without one judges what was sent, of which only the token changes.
 */
function refusedBy(error: unknown): keyof typeof advice | undefined {
  if (!(error instanceof StatusError)) return undefined;
  const { errorCode, status } = error;
  if (errorCode === 'invalid_client') return 'client';
  if (errorCode === 'invalid_grant') return 'token';
  if (status === 401) return 'either';
  return errorCode === undefined && (status === 400 || status === 422) ? 'token' : undefined;
}

function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.maybeExecuted;
  return error instanceof StatusError && (error.status >= 500 || error.status === 408);
}

/** Shorter than the client's own: after the exchange there must be time to store the new tokens. */
const policy: RetryPolicy = {
  ...defaultRetryPolicy,
  attemptsMax: tokenExchangeAttemptsMax,
  attemptMillisecondsMax: tokenExchangeMillisecondsMax,
  pauseMillisecondsMax: tokenExchangeWaitMillisecondsMax,
  retryAfterMillisecondsMax: tokenExchangeWaitMillisecondsMax,
};

/** What a rotation asks of the payment service at `baseUrl`: the exchange (4.6) and the account (4.7). */
export function createPaymentService(baseUrl: string) {
  return {
    exchanges: (client: Parameters<Exchanges>[0]) => createTokenExchange({ baseUrl, policy, ...client }),
    checkAccount: (authentication: Authentication) =>
      createPaymentServiceClient({ baseUrl, policy, authentication }).currentAccount(),
  };
}
