import {
  createPaymentServiceClient,
  createTokenExchange,
  defaultRetryPolicy,
  type RetryPolicy,
} from '@payhooks/payment-service';
import {
  tokenExchangeAttemptsMax,
  tokenExchangeMillisecondsMax,
  tokenExchangeWaitMillisecondsMax,
} from '../contract/limits.ts';
import type { TokenRefreshParts } from './token-refresh.ts';

/** Shorter than the client's own: after the exchange there must be time to store the new tokens. */
const policy: RetryPolicy = {
  ...defaultRetryPolicy,
  attemptsMax: tokenExchangeAttemptsMax,
  attemptMillisecondsMax: tokenExchangeMillisecondsMax,
  pauseMillisecondsMax: tokenExchangeWaitMillisecondsMax,
  retryAfterMillisecondsMax: tokenExchangeWaitMillisecondsMax,
};

/** What a rotation asks of the payment service at `baseUrl`: the exchange (4.6) and the account (4.7). */
export function createPaymentService(baseUrl: string): Pick<TokenRefreshParts, 'exchanges' | 'checkAccount'> {
  return {
    exchanges: (client) => createTokenExchange({ baseUrl, policy, ...client }),
    checkAccount: (authentication) =>
      createPaymentServiceClient({ baseUrl, policy, authentication }).currentAccount(),
  };
}
