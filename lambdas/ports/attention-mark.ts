import type { Mode } from '../domain/signature.ts';

/** That an order has attention from this change on, or none any more. */
export interface AttentionMark {
  readonly mode: Mode;
  readonly orderId: string;
  readonly hasAttention: boolean;
  /** Of two marks of an order, the higher counts: repetition and disorder do no harm. */
  readonly sequence: number;
  /** ISO 8601 UTC. */
  readonly changedAt: string;
}

/** Stores a mark among what waits, and nothing when a newer one is stored. */
export type MarkAttention = (mark: AttentionMark) => Promise<void>;
