/** What the consumer logged about the latest failed attempt of a message. */
export interface Retry {
  readonly messageId: string;
  readonly reason: string;
  readonly errorName: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface RetryQuery {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** All messages by default. */
  readonly messageIds?: readonly string[];
}
