import type { WaitingKind } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';

/** The index of what waits for a person; eventually consistent. */
export interface WaitingReader {
  /** How many rows of a kind wait; above some thousands at least so many. */
  count(mode: Mode, kind: WaitingKind): Promise<number>;
  /** The event names that had no meaning when their first event was recorded. */
  eventNames(mode: Mode): Promise<readonly string[]>;
}
