import type { WaitingKind } from '../contract/metrics.ts';
import type { Mode } from '../domain/signature.ts';
import type { WaitingRow } from './waiting-reader.ts';

/** A place in the list of what was received: a time, and a tie-break within that time. */
export interface ReceiptPosition {
  /** ISO 8601 UTC with milliseconds. */
  readonly receivedAt: string;
  /** A part of a hash; empty before the first row of that time. */
  readonly tie: string;
}

/** What the index holds of a row. */
export interface ReceiptRow extends Omit<WaitingRow, 'keyId' | 'receivedAt'>, ReceiptPosition {
  readonly waiting?: WaitingKind;
}

export interface ReceiptSelection {
  readonly mode: Mode;
  readonly position: ReceiptPosition;
  /** When a row was received at the earliest; not after the position. */
  readonly since?: string | undefined;
  readonly limit: number;
  /** How much of each part of the index is read: with less than the limit there may be fewer rows. */
  readonly ofShard?: number | undefined;
}

/** The index of what was received: each signed body once, at its time of receipt; eventually consistent. */
export interface ReceiptReader {
  /** The rows before a position, newest first, and whether there are more. */
  before(
    selection: ReceiptSelection,
  ): Promise<{ readonly rows: readonly ReceiptRow[]; readonly more: boolean }>;
}
