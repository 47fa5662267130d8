export type { Account, WebhookRegistration } from '../assumptions.ts';
export {
  type Authentication,
  accessTokenAuthentication,
  heldAuthentication,
  privateKeyAuthentication,
} from './authentication.ts';
export {
  ForbiddenError,
  InvalidRequestError,
  PaymentServiceError,
  RefusedKeyError,
  StatusError,
  TokenStoreError,
  UnauthenticatedError,
  UnexpectedResponseError,
  UnreachableError,
} from './errors.ts';
export { createPaymentServiceClient, type PaymentServiceClient } from './payment-service-client.ts';
export { oneLine, redactionOf } from './redaction.ts';
export { refreshingAuthentication } from './refreshing-authentication.ts';
export { defaultRetryPolicy, type RetryPolicy } from './retry-policy.ts';
export { createTokenExchange, type TokenExchange } from './token-exchange.ts';
export { parseTokens, type TokenResponse, type TokenStore, type Tokens, tokensOf } from './tokens.ts';
export type { TransportOptions } from './transport.ts';
export type { Webhook } from './webhook.ts';
export type { DeliveryAttempt } from './webhook-history.ts';
