import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { Mode } from '../domain/signature.ts';
import type { Judgement } from './decisions.ts';
import type { EventNameRow, EventRow, Outcome } from './stores.ts';

/** What a row must still be; `null` stands for absent, and a missing field for anything. */
export interface JudgementCondition {
  readonly outcome?: Outcome;
  readonly waiting?: WaitingKind | null;
  readonly judged?: Judgement | null;
}

/** A change of who judged a row and of whether it waits. */
export interface JudgementChange {
  readonly row: Pick<EventRow, 'key' | 'record' | 'mode'>;
  readonly expected: JudgementCondition;
  /** `null` takes a judgement back. */
  readonly judged: Judgement | null;
  /** `null` ends the wait; a missing one leaves it as it is. */
  readonly waiting?: WaitingKind | null;
  /** Removes the body from a row when it is in a row of its own by now, and keeps the fact. */
  readonly detachBody?: { readonly fact?: string | undefined };
}

export type EventNameState = EventNameRow & Pick<EventRow, 'waiting' | 'judged'>;

export interface JudgementWriter {
  /** Changes the row in one write if it is as expected, and returns whether it was. */
  judge(change: JudgementChange): Promise<boolean>;
  getEventName(mode: Mode, eventName: string): Promise<EventNameState | undefined>;
}
