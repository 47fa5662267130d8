/** What senders and the operators of keys did: a part of the history of a run. */
export type Mode = 'live' | 'sandbox';

/** One webhook that a sender delivers until it gets a 2xx or gives up. */
export interface Delivery {
  readonly number: number;
  readonly kind: DeliveryKind;
  /** The mode of its key; `undefined` when no key of the account signed it. */
  readonly mode: Mode | undefined;
  /** The exact bytes of the body, as base64. */
  readonly body: string;
  readonly attempts: readonly Attempt[];
}

/**
 * Those that are `genuine` have a key of the account: with an event; with what is no event; with more than
 * 256 KiB. The others have a key that the account never had, the signature of another body, none, or one that
 * is not 64 lower-case hexadecimal digits.
 */
export const deliveryKinds = [
  ...(['genuine', 'genuine_unreadable', 'genuine_oversize'] as const),
  ...(['forged', 'forged_replayed_signature', 'unsigned', 'malformed_signature'] as const),
] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

export interface Attempt {
  readonly at: number;
  readonly endedAt: number;
  /** The value of the signature header; `undefined` without one. */
  readonly signature: string | undefined;
  /** The private key behind the signature, also of a forger. */
  readonly key: string | undefined;
  readonly outcome: Outcome;
}

/** What a caller knows about its request. */
export type Outcome =
  | { readonly kind: 'status'; readonly status: number; readonly body: string }
  /** The request never reached payhooks. */
  | { readonly kind: 'refused' }
  /** The connection ended without a response: payhooks may have handled the request or not. */
  | { readonly kind: 'unknown' };

export interface SecretValue {
  readonly at: number;
  /** `undefined`: the operator stored something that cannot be parsed. */
  readonly keys: readonly SecretKey[] | undefined;
}

export interface SecretKey {
  readonly key: string;
  readonly mode: Mode;
  /** From this moment on the key is not accepted. */
  readonly acceptedUntil: number | undefined;
}
