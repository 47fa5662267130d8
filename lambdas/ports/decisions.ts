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
  /** When an event was admitted that has been dismissed since: it still counts as soon as it has an order. */
  readonly admittedAt?: string;
}
