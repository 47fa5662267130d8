import type { WaitingKind } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';

export interface WaitingName {
  readonly eventName: string;
  readonly recordedAt: string;
}

/** The index of what waits for a person; eventually consistent. */
export interface WaitingReader {
  /** How many rows of a kind wait; above some thousands at least so many. */
  count(mode: Mode, kind: WaitingKind): Promise<number>;
  /** When the oldest row of a kind was recorded; `undefined` when nothing waits. */
  oldest(mode: Mode, kind: WaitingKind): Promise<string | undefined>;
  /** The event names that had no meaning when their first event was recorded, oldest first. */
  eventNames(mode: Mode): Promise<readonly WaitingName[]>;
}
