/** A message that failed, and how long the queue hides it. */
export interface Postponed {
  readonly receiptHandle: string;
  readonly seconds: number;
}

/**
 * Hides messages of one batch until their next attempt, counted from now. After a throw, some or all of them
 * are hidden for the visibility timeout of the queue instead.
 */
export type Postpone = (messages: readonly Postponed[]) => Promise<void>;
