import type { Attention } from '../domain/attention.ts';
import type { Mode } from '../domain/signature.ts';

/** What attention an order has from this change on. */
export interface AttentionMark {
  readonly mode: Mode;
  readonly orderId: string;
  /** Empty when it has ended. */
  readonly attention: readonly Attention[];
  /** Of two marks of an order, the higher counts: repetition and disorder do no harm. */
  readonly sequence: number;
  /** ISO 8601 UTC. */
  readonly changedAt: string;
}

/** Stores a mark among what waits, and nothing when a newer one is stored. */
export type MarkAttention = (mark: AttentionMark) => Promise<void>;
