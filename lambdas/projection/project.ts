import { isDeepStrictEqual } from 'node:util';
import { fitsOrderItem } from '../contract/order-item.ts';
import { eventFact, eventIdOf, fullFact, parseFact } from '../domain/fact.ts';
import { movesMoney } from '../domain/payment-event.ts';
import type { AnyMode } from '../domain/signature.ts';
import {
  type EventRow,
  isAdmitted,
  isConflict,
  isContender,
  isOwn,
  type OrderRow,
  type ReadRow,
  unknownTime,
} from '../ports/rows.ts';
import type { Changes, RowChange } from '../ports/stores.ts';
import type { Layout, StoredEvent } from './layout.ts';

export interface Retention {
  readonly now: Date;
  /** How long the body of an event that does not wait is kept; `undefined` without a limit. */
  readonly eventRetentionDays: number | undefined;
}

export interface ProjectionSettings extends Retention {
  readonly mode: AnyMode;
  /** Whether the row of an order has room for facts. */
  readonly fits?: typeof fitsOrderItem | undefined;
  /** Orders that the database refused to let grow. */
  readonly full: ReadonlySet<string>;
  /** Publishes every order that holds the event once for each such text. */
  readonly publish?: string | undefined;
  readonly sequenceBase?: number | undefined;
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
 * it was is the same object. `intended`: the rows under the id as they shall be read and judged.
 */
export function project(
  settings: ProjectionSettings,
  stored: StoredEvent & { readonly orders: ReadonlyMap<string, OrderRow> },
  intended: readonly EventRow[],
  layout: Layout,
): Plan {
  const placed = layout.orderIds.map((id) => [id, placeOrder(settings, stored, layout, id)] as const);
  const derive = createDerivation(new Map(placed), layout);
  /** Whether its orders are those of a transaction in this layout. */
  const isShared = ({ eventId, reading }: ReadRow): boolean => layout.scope.has(eventFact(eventId, reading));
  const derived = intended.map((row) => (isContender(row) ? derive(row) : row));
  const others = stored.others.map((row) => (isContender(row) && isShared(row) ? derive(row) : row));
  return {
    events: [
      ...changesOfRows(settings, stored.rows, derived),
      ...changesOfRows(settings, stored.others, others),
    ],
    transactions: transactionChanges(settings, stored, layout),
    // Without those that are absent before and after.
    orders: placed.flatMap(([, { change }]) => ((change.before ?? change.after.facts[0]) ? [change] : [])),
  };
}

function placeOrder(
  { mode, now, full, fits = fitsOrderItem, publish, sequenceBase = 0 }: ProjectionSettings,
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
  const refused = new Set(full.has(id) || !fits(order, [...wanted]) ? added : []);
  const room = [...wanted].filter((text) => !refused.has(text));
  const facts = refused.size > 0 ? [...new Set([...room, fullFact])] : room;
  const isSame = before?.updatedAt !== unknownTime && isSameSet(facts, [...stored]);
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
    sequence: (before?.sequence ?? sequenceBase) + 1,
    ...(isPublished && { published: publish }),
  };
  return { change: { before, after }, refused };
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && without(a, b).length === 0;

/** What follows for the row of a body from where its fact is. A conflict waits until it is judged. */
function createDerivation(orders: ReadonlyMap<string, PlacedOrder>, { placed }: Layout) {
  return function derive({ reason: _, waiting: __, ...row }: ReadRow): EventRow {
    const { eventId, reading, judged } = row;
    if (isConflict(row) && !isAdmitted(row))
      return { ...row, outcome: 'conflict', assignedOrderIds: [], ...(!judged && { waiting: 'conflict' }) };
    const text = eventFact(eventId, reading);
    const isNamed = reading.orderId !== null;
    const orderIds = isNamed
      ? [reading.orderId]
      : [...placed].flatMap(([id, texts]) => (texts.has(text) ? [id] : [])).sort();
    const isRefused = [...orders].some(([id, { refused }]) => refused.has(text) && orderIds.includes(id));
    const settled = { ...row, assignedOrderIds: isNamed ? [] : orderIds };
    const waits = <Kind extends EventRow['waiting']>(waiting: Kind) =>
      judged?.verdict === 'dismissed' ? {} : { waiting };
    if (isRefused)
      return { ...settled, outcome: 'quarantined', reason: 'order_refused', ...waits('order_refused') };
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
    const change = { mode, transactionId, before };
    if (!isSameSet(entries, after)) return [{ ...change, after: { version: 0, ...before, entries: after } }];
    return before === undefined ? [] : [{ ...change, after: before }];
  });
}

/** The rows that change, and those of events, each of which is the lock on all rows under its id. */
export function changesOfRows(
  settings: Retention,
  before: readonly EventRow[],
  after: readonly EventRow[],
): readonly RowChange<EventRow>[] {
  const nameOf = ({ key, record }: EventRow): string => JSON.stringify([key, record]);
  const rowOf = new Map(before.map((row) => [nameOf(row), row]));
  return withExpiries(settings, after)
    .map((row) => {
      const stored = rowOf.get(nameOf(row));
      return { before: stored, after: isDeepStrictEqual(stored, row) ? (stored ?? row) : row };
    })
    .filter((change) => isOwn(change.after) || change.before !== change.after);
}

/** A body is kept while one of the rows that name it waits. */
function withExpiries(settings: Retention, rows: readonly EventRow[]): readonly EventRow[] {
  return rows.map((row) => {
    if (row.bodyRow === undefined) return row;
    const ofBody = rows.filter(({ bodySha256 }) => bodySha256 === row.bodySha256);
    if (ofBody.some(({ waiting }) => waiting !== undefined)) return { ...row, bodyRow: {} };
    const [expiresAt = bodyExpiry(settings)] = ofBody.flatMap(({ bodyRow }) => bodyRow?.expiresAt ?? []);
    return { ...row, bodyRow: expiresAt === undefined ? {} : { expiresAt } };
  });
}

/** In seconds since the epoch. */
export function bodyExpiry({ now, eventRetentionDays }: Retention): number | undefined {
  if (eventRetentionDays === undefined) return undefined;
  return Math.floor(now.getTime() / 1000) + eventRetentionDays * 24 * 60 * 60;
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
  transactions.some(({ before, after }) => without(before?.entries, after.entries).length > 0) ||
  orders.some(({ before, after }) =>
    without(before?.facts, after.facts).some((text) => ['event', 'shared'].includes(parseFact(text).kind)),
  );

export const without = (texts: readonly string[] = [], others: readonly string[]): readonly string[] => {
  const present = new Set(others);
  return texts.filter((text) => !present.has(text));
};
