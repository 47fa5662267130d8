import type { Row } from '../history.ts';
import { type Evidence, type KnownBody, orderKey } from './evidence.ts';
import { factText } from './money.ts';
import type { KnownOfOrder } from './projection.ts';
import { factsOf } from './stored-rows.ts';

const fullFact = '["full"]';

export const isFull = (row: Row | undefined): boolean => row !== undefined && factsOf(row).includes(fullFact);

/** What a full order knows: the texts that fitted into its row. Every other order knows all. */
export function withinRow(known: KnownOfOrder, row: Row | undefined): KnownOfOrder {
  if (row === undefined || !isFull(row)) return known;
  const facts = new Set(factsOf(row));
  return {
    events: known.events.filter((event) => facts.has(factText(event))),
    marks: [
      ...known.marks.filter(({ text }) => facts.has(text)),
      { attention: 'too_many_events', text: fullFact },
    ],
  };
}

/** Whether one of the orders of an event is full, and lacks it. */
export function isRefused({ expected, orderRows }: Evidence, { row, read }: KnownBody): boolean {
  if (read === undefined || !expected[row.mode].counts(read)) return false;
  return expected[row.mode].ordersOf(read).some((orderId) => {
    const order = orderRows.get(orderKey(row.mode, orderId));
    return order !== undefined && isFull(order) && !factsOf(order).includes(factText(read.event));
  });
}
