export type { Account, WebhookRegistration } from '../assumptions.ts';
export { sentenceOf } from '../json.ts';
export {
  type Authentication,
  accessTokenAuthentication,
  heldAuthentication,
  privateKeyAuthentication,
} from './authentication.ts';
export type { TransportOptions } from './call.ts';
export {
  ForbiddenError,
  InvalidRequestError,
  PaymentServiceError,
  RefusedKeyError,
  StatusError,
  UnauthenticatedError,
  UnexpectedResponseError,
  UnreachableError,
} from './errors.ts';
export { createPaymentServiceClient, type PaymentServiceClient } from './payment-service-client.ts';
export { oneLine, redactionOf } from './redaction.ts';
export { defaultRetryPolicy, type RetryPolicy } from './retry-policy.ts';
export {
  createTokenExchange,
  type TokenExchange,
  type TokenResponse,
  type Tokens,
  tokensOf,
} from './token-exchange.ts';
export type { DeliveryAttempt, UnreadableWebhook, Webhook } from './webhook.ts';
