export type { CallOptions, OrderClientOptions } from './connection.ts';
export * from './errors.ts';
export type { ChangesOptions } from './follow-changes.ts';
export type * from './openapi-types.ts';
export * from './operations-client.ts';
export * from './order-change.ts';
export * from './order-client.ts';
export { defaultRetryPolicy, type RetryPolicy } from './retry-policy.ts';
export {
  type AwsCredentials,
  type Credentials,
  createSignedFetch,
  defaultCredentials,
  type Fetch,
  type SignedFetchOptions,
} from './signed-fetch.ts';
