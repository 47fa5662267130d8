import {
  type Authentication,
  createPaymentServiceClient,
  createTokenExchange,
  defaultRetryPolicy,
  type RetryPolicy,
  StatusError,
  type TokenExchange,
  type TokenResponse,
  UnauthenticatedError,
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

/** The service refused the refresh token: most likely an earlier exchange has spent it. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
}

/** The service refused the client, whatever the token is worth: this request spent nothing. */
export class ClientRefusedError extends Error {
  override readonly name = 'ClientRefusedError';
}

const keepToken =
  'Correct the client and keep the token: npx payhooks token set --keep-refresh-token --stack NAME.';
const newToken = 'Authorise the account again and store its token: npx payhooks token set --stack NAME.';

/** What a refusal of the client, or of the token, means and asks for. */
interface Advice {
  readonly client: string;
  readonly token: string;
}

const first: Advice = {
  client: `The client id or the client secret is wrong; no refresh token was spent. ${keepToken}`,
  token: newToken,
};
const afterLostResponse: Advice = {
  client:
    'The client id or the client secret is wrong, or the refresh token may be spent by the exchange whose ' +
    `response was lost. ${keepToken} If that is refused as well: ${newToken}`,
  token: `The refresh token is spent. ${newToken}`,
};

/**
 * A20. Exchanges a refresh token; when it is unknown whether the service did it, once more with the same
 * token. Throws a `ClientRefusedError` or a `TokenRefusedError` for what the service refuses, and otherwise
 * what the client of the payment service throws.
 */
export async function exchangeTokens(exchange: TokenExchange, refreshToken: string): Promise<TokenResponse> {
  try {
    return await exchange(refreshToken);
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw refusalOf(error, '', first);
  }
  try {
    return await exchange(refreshToken);
  } catch (error) {
    throw refusalOf(error, 'The response to an exchange was lost, then ', afterLostResponse);
  }
}

/** What was refused, the client or the token; another error stays as it is. */
function refusalOf(error: unknown, before: string, advice: Advice): unknown {
  if (!isRefusal(error)) return error;
  const refusal = before + error.message;
  return isAboutClient(error)
    ? new ClientRefusedError(`${refusal} ${advice.client}`, { cause: error })
    : new TokenRefusedError(`${refusal} ${advice.token}`, { cause: error });
}

/** A20. RFC 6749, 5.2 has a code for each; the API document only has a 401, which is about the credential. */
function isAboutClient(error: StatusError): boolean {
  if (error.errorCode === 'invalid_client') return true;
  return error instanceof UnauthenticatedError && error.errorCode !== 'invalid_grant';
}

/** A request to slow down, or a fault of the service, means nothing about the token. */
function isRefusal(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status < 500 && error.status !== 408 && error.status !== 429;
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
