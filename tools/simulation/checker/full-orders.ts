import type { Row } from '../history.ts';
import { factText } from './compact-form.ts';
import type { Evidence, KnownBody } from './evidence.ts';
import { orderKey } from './evidence.ts';
import type { KnownOfOrder, Mark } from './order-state.ts';
import { factsOf } from './stored-rows.ts';

/** The facts with which an order is marked, by docs/architecture.md, "What a fact is". */
const tags: Readonly<Record<string, string>> = {
  conflicting_event: 'conflict.1',
  transaction_in_two_orders: 'shared.1',
};
const fullFact = '["full.1"]';

/**
 * What a full order knows: the facts that fitted into its row. Every other order knows all, whatever its row
 * holds.
 */
export function withinRow(known: KnownOfOrder, row: Row | undefined): KnownOfOrder {
  const facts = row === undefined ? [] : factsOf(row);
  if (!facts.includes(fullFact)) return known;
  const marked = new Set(facts.map((fact) => JSON.stringify((JSON.parse(fact) as string[]).slice(0, 2))));
  const isMarked = ({ attention, about }: Mark): boolean =>
    marked.has(JSON.stringify([tags[attention], about]));
  return {
    events: known.events.filter((event) => facts.includes(factText(event))),
    marks: [...known.marks.filter(isMarked), { attention: 'too_many_events', about: '' }],
  };
}

/** Whether one of the orders of an event is full, and lacks it. */
export function isRefused({ expected, orderRows }: Evidence, { row, recorded }: KnownBody): boolean {
  if (recorded === undefined || row.place !== 'event') return false;
  const fact = factText(recorded.event);
  return expected[row.mode].all.outcomeOf(recorded).orderIds.some((orderId) => {
    const order = orderRows.get(orderKey(row.mode, orderId));
    const facts = order === undefined ? [] : factsOf(order);
    return facts.includes(fullFact) && !facts.includes(fact);
  });
}
