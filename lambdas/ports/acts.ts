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

export const actNames = ['admit', 'dismiss', 'resolve', 'replay', 'erase'] as const;
export type ActName = (typeof actNames)[number];

/** What an operator did, to which subject. */
export interface Act extends Decision {
  readonly act: ActName;
  readonly eventId?: string;
  readonly orderId?: string;
  readonly bodySha256?: string;
  readonly eventName?: string;
  /** What a resolution is about; a set. */
  readonly attention?: readonly string[];
}

export interface ActReader {
  /** The latest `actsReadMax` acts on one partition, or all of them, oldest first. */
  actsOf(partition: string, options?: { readonly isComplete: boolean }): Promise<readonly Act[]>;
}
