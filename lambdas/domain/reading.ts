import type { Meaning, MeaningOf } from './assumptions.ts';
import type { EventFields, PaymentEvent } from './payment-event.ts';

/**
 * What one version of payhooks reads in a signed body. It is stored with the body when that is recorded, and
 * changes only with a replay: every state is derived from the stored readings, never from the bodies.
 */
export interface Reading extends EventFields {
  /** `null` for a name that has no meaning yet: its event has no effect, like one that means `history`. */
  readonly meaning: Meaning | null;
}

export const readingOf = ({ fields }: PaymentEvent, meaningOf: MeaningOf): Reading => ({
  ...fields,
  meaning: meaningOf(fields.eventName) ?? null,
});

/** Whether the event concerns money: without an order, such an event waits for one. */
export const movesMoney = ({ meaning }: Pick<Reading, 'meaning'>): boolean =>
  meaning !== null && meaning !== 'history';

export const isSameReading = (a: Reading, b: Reading): boolean =>
  (Object.keys(a) as (keyof Reading)[]).every((field) => a[field] === b[field]);
