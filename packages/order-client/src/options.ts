import type { Attention, Mode, OrderStatus, WaitingKind } from './openapi-types.ts';
import type { RetryPolicy } from './retry-policy.ts';
import type { Credentials } from './signer.ts';
import type { Fetch } from './transport.ts';

export interface OrderClientOptions {
  /**
   * The stack's output `OrderQueryUrl`, for the operations client `OperationsUrl`; or the URL of local mode.
   */
  readonly baseUrl: string;
  /** Read from an API Gateway URL, otherwise from `AWS_REGION`. */
  readonly region?: string | undefined;
  readonly credentials?: Credentials | undefined;
  /** Overrides parts of `defaultRetryPolicy`. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly fetch?: Fetch | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ModeOptions extends CallOptions {
  readonly mode?: Mode | undefined;
}

export interface ListOptions extends ModeOptions {
  /** Orders that changed at this time or later. */
  readonly updatedSince?: Date | string | undefined;
  /** Orders that changed before this time, and not since. */
  readonly updatedUntil?: Date | string | undefined;
  readonly status?: OrderStatus | undefined;
  /** `any`: orders that a person must look at. */
  readonly attention?: Attention | 'any' | undefined;
  /** `asc` by default, the oldest change first; `desc` is a view for people, which may miss a change. */
  readonly sortOrder?: 'asc' | 'desc' | undefined;
  /** Orders per page. */
  readonly limit?: number | undefined;
  /** An earlier `next_cursor`; it holds mode, status, attention and sort order. */
  readonly cursor?: string | undefined;
}

/** What waits for a person; everything when omitted. */
export interface WaitingOptions extends ModeOptions {
  readonly kind?: WaitingKind | undefined;
  /** The order that the body names. */
  readonly orderId?: string | undefined;
  readonly transactionId?: string | undefined;
  /** Recorded at this time or later. */
  readonly since?: Date | string | undefined;
  /** Recorded at this time or earlier. */
  readonly until?: Date | string | undefined;
  /** Items per page. */
  readonly limit?: number | undefined;
  /** An earlier `next_cursor`, with the same other options but `limit`. */
  readonly cursor?: string | undefined;
}

export interface BodiesOptions extends ModeOptions {
  /** One of several bodies under the id. */
  readonly bodySha256?: string | undefined;
}

/** Start at `cursor`; without one at `since`; without either at the beginning. */
export interface ChangesOptions {
  /** The last cursor that `onCursor` received; continues where that reader stopped. */
  readonly cursor?: string | undefined;
  readonly since?: Date | string | undefined;
  readonly mode?: Mode | undefined;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Between requests once there is nothing new; 5,000 by default. */
  readonly pauseMilliseconds?: number | undefined;
  /**
   * Receives the cursor to store once you took every order before it. The client awaits it; a reader that
   * restarts from it misses nothing.
   */
  readonly onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /**
   * Receives an error that outlasted the retries but may pass; the iteration continues after its pause.
   * Without it the iteration throws such an error, as it does all others.
   */
  readonly onFault?: ((error: unknown) => void) | undefined;
  /** For how many orders the last yielded state is remembered, so as not to repeat it; 10,000 by default. */
  readonly rememberedOrdersMax?: number | undefined;
}
