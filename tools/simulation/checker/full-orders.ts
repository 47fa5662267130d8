import type { Row } from '../history.ts';
import { factText } from './compact-form.ts';
import type { Evidence, KnownBody } from './evidence.ts';
import { modes, orderKey } from './evidence.ts';
import type { KnownOfOrder, Mark } from './order-state.ts';
import type { SignedEvent } from './signed-body.ts';
import { factsOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

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

/** Larger than any fact of a run that is not about an event, such as a resolution with its reason. */
const otherFactBytesMax = 1_024;

/**
 * An order that says it is full must be: its row never shrinks, so that what would fit into it at the end
 * would have fitted at any time.
 */
export function fullViolations({ history, expected, orderRows }: Evidence): readonly Violation[] {
  return modes.flatMap((mode) =>
    [...orderRows].flatMap(([key, row]) => {
      const prefix = orderKey(mode, '');
      const facts = factsOf(row);
      if (!key.startsWith(prefix) || !facts.includes(fullFact)) return [];
      const orderId = key.slice(prefix.length);
      const { events = [] } = expected[mode].settled.orders.get(orderId) ?? {};
      const lacking = events.filter((event) => !facts.includes(factText(event)));
      const free = history.orderBytesMax - bytesOfWritten(row, mode, orderId);
      const order = `The ${mode} order ${quoted(orderId)}`;
      const name = `${order} says that it is full, and has room for ${free} bytes`;
      if (lacking.length === 0 && free >= otherFactBytesMax) return wrong(`${name}; it lacks no event.`);
      const fitting = lacking.filter((event) => factBytesMax(event) <= free).map(({ id }) => quoted(id));
      return fitting.length === 0 ? [] : wrong(`${name}: it refused ${fitting}, which would fit.`);
    }),
  );
}

const wrong = violationsOf('orders');

/** With everything but the fact that a write of either form of rows adds to a row. */
const bytesOfWritten = (row: Row, mode: string, orderId: string): number => {
  const reserve = { S: '0'.repeat(12) };
  const written = { headroom: reserve, p: reserve, mode: { S: mode }, order_id: { S: orderId }, ...row };
  return Object.entries(written).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOfValue(value),
    0,
  );
};

const bytesOfValue = ({ S, SS }: Row[string]): number => {
  const texts = Array.isArray(SS) ? SS : [S ?? '0'.repeat(16)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(String(text)), 0);
};

/** In the longer of its two forms: one escapes nothing and names every field, the other encodes for a URL. */
function factBytesMax(event: SignedEvent): number {
  const { id, name, transactionId, amount, currency, createdAt } = event;
  const parts = [id, name, transactionId, amount, currency, createdAt];
  const encoded = parts.map((part) => encodeURIComponent(part ?? '')).join(' ');
  return Math.max(Buffer.byteLength(factText(event)), encoded.length + '["event.2",""]'.length);
}
