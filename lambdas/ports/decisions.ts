/** What an operator decided: who, when and why. */
export interface Decision {
  /** The IAM identity. */
  readonly by: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly reason: string;
}

/** The decision about a row that waited. */
export interface Judgement extends Decision {
  readonly verdict: 'admitted' | 'dismissed';
  /** The order that an admitted event was given. */
  readonly orderId?: string;
}

/** The decision to remove a body, and with it what it holds about the customer. */
export type Erasure = Decision;

/** Removes the body of a row of `events`; the rest of the row stays. */
export interface BodyErasure {
  /** `event_key` and `record` of `schema.ts`. */
  readonly key: string;
  readonly record: string;
  readonly erased: Erasure;
  /** Stored with the erasure, in a row whose fact followed from its body. */
  readonly fact?: string;
}
