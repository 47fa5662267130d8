/** What senders and the operators of keys did: plain data, a part of the history of a run. */
export type Mode = 'live' | 'sandbox';

/** One webhook that a sender delivers until it gets a 2xx or gives up. */
export interface Delivery {
  readonly number: number;
  readonly kind: DeliveryKind;
  /** The mode of its key; `undefined` when no key of the account signed it. */
  readonly mode: Mode | undefined;
  /** The exact bytes of the body, as base64. */
  readonly body: string;
  /** What the sender meant by the body; `undefined` for what is no event. */
  readonly meant: MeantEvent | undefined;
  readonly attempts: readonly Attempt[];
}

export type DeliveryKind =
  /** An event of the payment service, signed with a key of the account. */
  | 'genuine'
  /** Signed with a key of the account, but no event: not JSON, or without what an event must have. */
  | 'genuine_unreadable'
  /** Signed with a key of the account, above 256 KiB. */
  | 'genuine_oversize'
  /** Signed with a key that the account never had. */
  | 'forged'
  /** The signature of another body. */
  | 'forged_replayed_signature'
  /** No signature header. */
  | 'unsigned'
  /** A signature header that is not 64 lower-case hexadecimal digits. */
  | 'malformed_signature';

/** The event of the payment service's API document, section 2.3, before it was written as bytes. */
export interface MeantEvent {
  readonly id: string;
  readonly eventName: string;
  readonly sandbox: boolean | undefined;
  readonly transactionId: string;
  readonly amount: string;
  readonly currency: string;
  readonly orderId: string | undefined;
  readonly createdAt: string;
  /** The order that a former version read in the same body, where that differs. */
  readonly formerOrderId?: string;
}

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
