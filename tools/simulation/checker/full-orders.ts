import type { Row } from '../history.ts';
import { type Evidence, type KnownBody, modes, orderKey } from './evidence.ts';
import { factText } from './money.ts';
import { type KnownOfOrder, textsOf } from './projection.ts';
import { factsOf, textOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const fullFact = '["full"]';
const wrong = violationsOf('orders');

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

/**
 * An order that says it is full must have had no room for all that it lacks; and if it lacks nothing, all
 * that was ever meant for it would not fit.
 */
export function fullViolations({ history, expected, everRead, orderRows }: Evidence): readonly Violation[] {
  const { streamRecords, orderBytesMax } = history;
  const writes = Map.groupBy(streamRecords, ({ after }) => textOf(after ?? {}, 'order_key'));
  return modes.flatMap((mode) => {
    const prefix = orderKey(mode, '');
    return [...orderRows].flatMap(([key, row]) => {
      if (!key.startsWith(prefix) || !isFull(row)) return [];
      const orderId = key.slice(prefix.length);
      const known = expected[mode].orders.get(orderId);
      const facts = new Set(factsOf(row));
      const lacking = [...(known ? textsOf(known) : [])].filter((text) => !facts.has(text));
      const ever = everRead[mode].orders.get(orderId);
      const batch = lacking.length > 0 ? lacking : [...(ever ? textsOf(ever) : [])];
      const rows = [row, ...(writes.get(key) ?? []).map(({ after }) => after ?? {})];
      const free = orderBytesMax - Math.max(...rows.map(bytesOfRow));
      if (batch.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > free) return [];
      const what = lacking.length === 0 ? 'it lacks nothing' : `it refused ${lacking}, which would fit`;
      return wrong(
        `The ${mode} order ${quoted(orderId)} says that it is full, and has room for ${free} bytes: ${what}.`,
      );
    });
  });
}

/** With everything that a write adds to a row. */
const bytesOfRow = (row: Row): number =>
  Object.entries({ headroom: { S: '0'.repeat(12) }, ...row }).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOfValue(value),
    0,
  );

const bytesOfValue = ({ S, SS }: Row[string]): number => {
  const texts = Array.isArray(SS) ? SS : [S ?? '0'.repeat(16)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(String(text)), 0);
};
