export type { ListOptions } from './arguments.ts';
export type { Account, WebhookRegistration } from './assumptions.ts';
export type { Fetch, FetchInit } from './attempt.ts';
export {
  type Authentication,
  accessTokenAuthentication,
  privateKeyAuthentication,
} from './authentication.ts';
export type { CallOptions } from './call.ts';
export {
  ForbiddenError,
  PaymentServiceError,
  RefusedKeyError,
  type RefusedKeyReason,
  StatusError,
  TokenStoreError,
  UnaskableError,
  UnauthenticatedError,
  UnexpectedAnswerError,
  UnreachableError,
} from './errors.ts';
export { type HeldTokens, heldAuthentication } from './held-authentication.ts';
export { type OperationName, operations } from './operations.ts';
export {
  createPaymentServiceClient,
  type HistoryOptions,
  type PaymentServiceClient,
  type PaymentServiceOptions,
} from './payment-service-client.ts';
export { oneLine, redactionOf } from './redaction.ts';
export { type RefreshingOptions, refreshingAuthentication } from './refreshing-authentication.ts';
export { defaultRetryPolicy, parseRetryAfter, pauseAfter, type RetryPolicy } from './retry-policy.ts';
export { createTokenExchange, type TokenExchange, type TokenExchangeOptions } from './token-exchange.ts';
export {
  parseTokenResponse,
  parseTokens,
  type TokenResponse,
  type TokenStore,
  type Tokens,
  tokensOf,
} from './tokens.ts';
export type { Sleep, TransportOptions } from './transport.ts';
export type { WalkOptions } from './walk-webhooks.ts';
export {
  type Pagination,
  parseWebhook,
  parseWebhookPage,
  type Webhook,
  type WebhookPage,
} from './webhook.ts';
export { type DeliveryAttempt, parseWebhookHistory, type WebhookHistory } from './webhook-history.ts';
