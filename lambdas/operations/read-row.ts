import type { EventRow } from '../ports/stores.ts';

/** The row of a body, as it was found and with what the body says to this version. */
export interface ReadRow {
  readonly found: EventRow;
  readonly row: EventRow;
}

/** What a row says about the body of its event. */
const said = ['orderId', 'transactionId', 'eventName', 'fact'] as const;
type Said = Pick<EventRow, (typeof said)[number]>;

export const saidBy = (row: EventRow): Said =>
  Object.fromEntries(said.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

/** A row that says what another one says about the body of its event. */
export function withSaid(row: EventRow, other: EventRow): EventRow {
  const { orderId, transactionId, eventName, fact, ...kept } = row;
  return { ...kept, ...saidBy(other) };
}

/** Whether two rows say the same about the body of an event. */
export const isSameReading = (one: EventRow, other: EventRow): boolean =>
  said.every((name) => one[name] === other[name]);
