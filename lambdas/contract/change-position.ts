import { createHash } from 'node:crypto';

/** A place in the index of changes: a time, and a tie-break within that time. */
export interface ChangePosition {
  /** ISO 8601 UTC with milliseconds, so that text order is time order. */
  readonly updatedAt: string;
  /** Hexadecimal; empty before the first order of that time. */
  readonly tie: string;
}

/** The latest change of one order. */
export interface Change extends ChangePosition {
  /** `order_key`. */
  readonly key: string;
}

/** The tie-break is a hash, of one length for every order id: a cursor that holds it names no order. */
export function changeOf(updatedAt: string, key: string): Change {
  return { updatedAt, tie: createHash('sha256').update(key).digest('hex').slice(0, 32), key };
}

/** By time, then by the tie-break: the same on every machine. */
export const comparePositions = (a: ChangePosition, b: ChangePosition): number =>
  compareTexts(a.updatedAt, b.updatedAt) || compareTexts(a.tie, b.tie);

const compareTexts = (a: string, b: string): number => Number(a > b) - Number(a < b);
