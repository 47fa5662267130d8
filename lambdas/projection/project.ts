import { isDeepStrictEqual } from 'node:util';
import { orderHeadroomBytes } from '../contract/limits.ts';
import { changeShard, orderAttributes, orderKey } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import { eventFact, eventIdOf, fullFact, parseFact } from '../domain/fact.ts';
import { movesMoney } from '../domain/reading.ts';
import type { AnyMode } from '../domain/signature.ts';
import { type EventRow, type OrderRef, type OrderRow, unknownTime } from '../ports/rows.ts';
import type { Changes, RowChange } from '../ports/stores.ts';
import { isAdmitted, isConflict, isOwn } from './contributions.ts';
import type { IntendedRows, Layout, StoredEvent } from './layout.ts';
import { changesOfRows, type Retention } from './row-changes.ts';

export interface ProjectionSettings extends Retention {
  readonly mode: AnyMode;
  /** Whether the row of an order has room for facts. */
  readonly fits?: typeof fitsRow | undefined;
  /** Orders that the database refused to let grow. */
  readonly full: ReadonlySet<string>;
  /** Publishes every order that holds the event once for each such text. */
  readonly publish?: string | undefined;
}

/** What must be written, and everything that it rests on, which must not have changed. */
export type Plan = Omit<Changes, 'acts' | 'names'>;

interface PlacedOrder {
  readonly change: RowChange<OrderRow>;
  /** The texts for which the row has no room. */
  readonly refused: ReadonlySet<string>;
}

/**
 * What every row must be that an event has anything to do with: a pure function of the stored readings and
 * judgements, and of what the rows of its transactions and orders hold of other events. What is the same as
 * it was is the same object.
 */
export function project(
  settings: ProjectionSettings,
  stored: StoredEvent & { readonly orders: ReadonlyMap<string, OrderRow> },
  intended: IntendedRows,
  layout: Layout,
): Plan {
  const orders = new Map(
    layout.orderIds.map((id): [string, PlacedOrder] => [id, placeOrder(settings, stored, layout, id)]),
  );
  const derive = createDerivation(orders, layout);
  const derived = intended.map((row) => (isOwn(row) || isConflict(row) ? derive(row) : row));
  const others = stored.others.map((row) => (isShared(layout)(row) ? derive(row) : row));
  return {
    events: [
      ...changesOfRows(settings, stored.rows, derived),
      ...changesOfRows(settings, stored.others, others),
    ],
    transactions: transactionChanges(settings, stored, layout),
    orders: [...orders.values()].flatMap(({ change }) => (isAbsent(change) ? [] : [change])),
  };
}

/** No such order, before and after. */
const isAbsent = ({ before, after }: RowChange<OrderRow>): boolean =>
  before === undefined && after.facts.length === 0;

function placeOrder(
  { mode, now, full, fits = fitsRow, publish }: ProjectionSettings,
  { eventId, orders }: Parameters<typeof project>[1],
  { isKnown, placed, scope }: Layout,
  id: string,
): PlacedOrder {
  const order = { mode, id };
  const before = orders.get(id);
  const stored = new Set(before?.facts);
  const isDerived = (text: string): boolean => scope.has(text) || (isKnown && eventIdOf(text) === eventId);
  const kept = [...stored].filter((text) => !isDerived(text));
  const wanted = new Set([...kept, ...(placed.get(id) ?? [])]);
  const added = [...wanted].filter((text) => !stored.has(text));
  const isFull = added.length > 0 && (full.has(id) || !fits(order, [...wanted]));
  const refused = new Set(isFull ? added : []);
  const next = isFull ? [...[...wanted].filter((text) => !refused.has(text)), fullFact] : [...wanted];
  const facts = [...new Set(next)].sort();
  const isSame =
    before?.updatedAt !== unknownTime &&
    facts.length === stored.size &&
    facts.every((text) => stored.has(text));
  const isPublished =
    publish !== undefined &&
    before?.published !== publish &&
    !full.has(id) &&
    facts.some((text) => eventIdOf(text) === eventId);
  if (before !== undefined && isSame && !isPublished) return { change: { before, after: before }, refused };
  const after: OrderRow = {
    ...before,
    order,
    facts,
    updatedAt: now.toISOString(),
    sequence: (before?.sequence ?? 0) + 1,
    ...(isPublished && { published: publish }),
  };
  return { change: { before, after }, refused };
}

/** Whether the orders of the event are those of a transaction in this layout. */
const isShared =
  ({ scope }: Layout) =>
  ({ eventId = '', reading }: EventRow): boolean =>
    reading?.orderId === null && scope.has(eventFact(eventId, reading));

/** What follows for the row of a body from where its fact is. A conflict waits until it is judged. */
function createDerivation(orders: ReadonlyMap<string, PlacedOrder>, { placed }: Layout) {
  return function derive({ reason: _, waiting: __, ...row }: EventRow): EventRow {
    const { eventId = '', reading, judged } = row;
    if (reading === undefined) return row;
    if (isConflict(row) && !isAdmitted(row))
      return { ...row, outcome: 'conflict', assignedOrderIds: [], ...(!judged && { waiting: 'conflict' }) };
    const text = eventFact(eventId, reading);
    const isNamed = reading.orderId !== null;
    const orderIds = isNamed
      ? [reading.orderId]
      : [...placed].flatMap(([id, texts]) => (texts.has(text) ? [id] : [])).sort();
    const isRefused = orderIds.some((id) => orders.get(id)?.refused.has(text));
    const isDismissed = judged?.verdict === 'dismissed';
    const settled = { ...row, assignedOrderIds: isNamed ? [] : orderIds };
    const waits = (waiting: WaitingKind) => (isDismissed ? {} : { waiting });
    if (isRefused) {
      const reason = 'order_refused';
      return { ...settled, outcome: 'quarantined', reason, ...waits(reason) };
    }
    if (orderIds.length > 0) return { ...settled, outcome: 'applied' };
    if (!movesMoney(reading)) return { ...settled, outcome: 'recorded' };
    return { ...settled, outcome: 'unassigned', ...waits('unassigned') };
  };
}

function transactionChanges(
  { mode }: ProjectionSettings,
  stored: StoredEvent,
  { transactions }: Layout,
): Plan['transactions'] {
  return [...transactions].flatMap(([transactionId, { before: entries, after }]) => {
    const before = stored.transactions.get(transactionId);
    if (before === undefined && after.length === 0) return [];
    const isSame = entries.length === after.length && after.every((entry) => entries.includes(entry));
    const changed = { ...(before ?? { version: 0 }), entries: after };
    return [{ mode, transactionId, before, after: before !== undefined && isSame ? before : changed }];
  });
}

/** Whether anything is written. */
export const isEmpty = ({ events, transactions, orders }: Plan): boolean =>
  [...events, ...transactions, ...orders].every(({ before, after }) => before === after);

/**
 * Whether a consumer that is still at work may add what the plan replaces: it changes a reading, or takes
 * away the fact of an event, the mark of a shared transaction, or an entry.
 */
export const replaces = ({ events, transactions, orders }: Plan): boolean =>
  events.some(({ before, after }) => before?.reading && !isDeepStrictEqual(before.reading, after.reading)) ||
  transactions.some(({ before, after }) => lost(before?.entries, after.entries).length > 0) ||
  orders.some(({ before, after }) =>
    lost(before?.facts, after.facts).some((text) => ['event', 'shared'].includes(parseFact(text).kind)),
  );

const lost = (before: readonly string[] = [], after: readonly string[]): readonly string[] => {
  const present = new Set(after);
  return before.filter((text) => !present.has(text));
};

/** The most that DynamoDB stores in one item. */
const itemBytesMax = 400 * 1024;
/** More than the counters and the time stamp of a row, and the name of the last publication, ever take. */
const otherBytesMax = 256;

/**
 * Whether an order's item can hold these facts, as DynamoDB counts it: the names and values of its attributes
 * in UTF-8. Until the row reports that it is full, it keeps room for that.
 */
export function fitsRow({ mode, id }: OrderRef, facts: readonly string[]): boolean {
  const key = orderKey(mode, id);
  const texts = [...Object.values(orderAttributes), key, changeShard(mode, key), ...facts];
  const headroom = facts.includes(fullFact) ? 0 : orderHeadroomBytes;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes + headroom + otherBytesMax <= itemBytesMax;
}
