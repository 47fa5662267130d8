export type { Fetch } from './ask.ts';
export {
  CredentialsError,
  EventNotFoundError,
  ForeignAnswerError,
  NoAnswerError,
  OrderClientError,
  OrderNotFoundError,
  ProblemError,
  UnaskableError,
} from './errors.ts';
export type { ChangesOptions } from './follow-changes.ts';
export type {
  Attention,
  Event,
  EventRecord,
  Mode,
  Order,
  OrderEvent,
  OrderEventDetail,
  OrderEvents,
  OrderList,
  OrderStatus,
  Outcome,
  ParameterProblem,
  Problem,
  Reason,
  Transaction,
  TransactionStatus,
} from './openapi-types.ts';
export {
  type CallOptions,
  createOrderClient,
  type ListOptions,
  type ModeOptions,
  type OrderClient,
  type OrderClientOptions,
} from './order-client.ts';
export { defaultRetryPolicy, type RetryPolicy } from './retry-policy.ts';
export type { Credentials } from './signer.ts';
