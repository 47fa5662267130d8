import type { Row } from '../history.ts';
import { factText } from './compact-form.ts';
import type { Evidence, KnownBody } from './evidence.ts';
import { modes, orderKey } from './evidence.ts';
import type { KnownOfOrder, Mark } from './order-state.ts';
import type { Mode, SignedEvent } from './signed-body.ts';
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
  return {
    events: known.events.filter((event) => facts.includes(factText(event))),
    marks: [...known.marks.filter(isMarkedIn(facts)), { attention: 'too_many_events', about: '' }],
  };
}

function isMarkedIn(facts: readonly string[]): (mark: Mark) => boolean {
  const marked = new Set(facts.map((fact) => JSON.stringify((JSON.parse(fact) as string[]).slice(0, 2))));
  return ({ attention, about }) => marked.has(JSON.stringify([tags[attention], about]));
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

/**
 * An order that says it is full must be: its row never shrinks, so that what would fit into it at the end
 * would have fitted at any time. One that lacks nothing has refused what does not belong to it, such as an
 * event that an operator could not admit.
 */
export function fullViolations(evidence: Evidence): readonly Violation[] {
  const { history, expected, orderRows } = evidence;
  return modes.flatMap((mode) => {
    const largest = largestFactBytes(evidence, mode);
    return [...orderRows].flatMap(([key, row]) => {
      const prefix = orderKey(mode, '');
      const facts = factsOf(row);
      if (!key.startsWith(prefix) || !facts.includes(fullFact)) return [];
      const orderId = key.slice(prefix.length);
      const { events = [], marks = [] } = expected[mode].settled.orders.get(orderId) ?? {};
      const isMarked = isMarkedIn(facts);
      const lacking = [
        ...events
          .filter((event) => !facts.includes(factText(event)))
          .map((event) => ({ what: quoted(event.id), bytes: factBytesMax(event) })),
        ...marks
          .filter((mark) => !isMarked(mark))
          .map((mark) => ({ what: `${mark.attention} of ${quoted(mark.about)}`, bytes: markBytes(mark) })),
      ];
      const free = history.orderBytesMax - bytesOfWritten(row, mode, orderId);
      const order = `The ${mode} order ${quoted(orderId)}`;
      const name = `${order} says that it is full, and has room for ${free} bytes`;
      if (lacking.length === 0 && free >= largest) return wrong(`${name}; it lacks nothing.`);
      const fitting = lacking.filter(({ bytes }) => bytes <= free).map(({ what }) => what);
      return fitting.length === 0 ? [] : wrong(`${name}: it refused ${fitting}, which would fit.`);
    });
  });
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

const sha256 = '0'.repeat(64);

/** Of all facts that make an order full where they do not fit: a resolution, which is refused, does not. */
function largestFactBytes({ known }: Evidence, mode: Mode): number {
  const events = known.flatMap(({ row, sent: { reading } }) =>
    row.mode === mode && reading.kind !== 'unrecognised' ? [reading.event] : [],
  );
  const correction = JSON.stringify(['correction.1', sha256, events.length]);
  return Math.max(
    Buffer.byteLength(correction),
    ...events.map(factBytesMax),
    ...events.map(({ id }) => markBytes({ attention: 'conflicting_event', about: id })),
    ...events.map(({ transactionId }) =>
      markBytes({ attention: 'transaction_in_two_orders', about: transactionId ?? '' }),
    ),
  );
}

/** That of a conflict ends with the SHA-256 of the other body. */
function markBytes({ attention, about }: Mark): number {
  const isConflict = attention === 'conflicting_event';
  return Buffer.byteLength(JSON.stringify([tags[attention], about, ...(isConflict ? [sha256] : [])]));
}

/** In the longer of its two forms: one escapes nothing and names every field, the other encodes for a URL. */
function factBytesMax(event: SignedEvent): number {
  const { id, name, transactionId, amount, currency, createdAt } = event;
  const parts = [id, name, transactionId, amount, currency, createdAt];
  const encoded = parts.map((part) => encodeURIComponent(part ?? '')).join(' ');
  return Math.max(Buffer.byteLength(factText(event)), encoded.length + '["event.2",""]'.length);
}
