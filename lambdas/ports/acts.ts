import type { Decision } from './decisions.ts';

export type ActName = 'admit' | 'dismiss' | 'resolve' | 'replay' | 'erase';

/** What an operator did, to which subject. */
export interface Act extends Decision {
  readonly act: ActName;
  readonly eventId?: string;
  readonly orderId?: string;
  readonly bodySha256?: string;
  readonly eventName?: string;
}

export interface ActWriter {
  /**
   * Stores the act next to everything that it concerns: `event_key` values of `schema.ts`, or `orderKey`. A
   * repetition stores nothing.
   */
  putAct(act: Act, partitions: readonly string[]): Promise<void>;
}

export interface ActReader {
  /** The latest `actsReadMax` acts on one partition, oldest first. */
  actsOf(partition: string): Promise<readonly Act[]>;
}
