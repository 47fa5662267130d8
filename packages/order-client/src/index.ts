export * from './errors.ts';
export type {
  ActName,
  Attention,
  Event,
  EventRecord,
  Mode,
  Order,
  OrderAct,
  OrderEvent,
  OrderEventDetail,
  OrderEvents,
  OrderList,
  OrderNotFoundProblem,
  OrderStatus,
  OtherBody,
  Outcome,
  ParameterProblem,
  Problem,
  Reason,
  Transaction,
  TransactionDetail,
  TransactionOrder,
  TransactionStatus,
  WaitingEvent,
  WaitingKind,
} from './openapi-types.ts';
export type * from './options.ts';
export { createOrderClient, type OrderClient } from './order-client.ts';
export { defaultRetryPolicy, type RetryPolicy } from './retry-policy.ts';
export type { AwsCredentials, Credentials } from './signer.ts';
export type { Fetch } from './transport.ts';
