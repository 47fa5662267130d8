import type { Decision } from './decisions.ts';

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
