import type * as api from '@payhooks/order-client';
import type { Change } from '../contract/change-position.ts';
import { listEventsMax, listOrdersDefault, listOrdersMax } from '../contract/limits.ts';
import { foldOrder, type OrderState, orderStatuses } from '../domain/fold-order.ts';
import type { RouteRequest } from '../http-api/http-api.ts';
import {
  type Parameters,
  readCursor,
  readLimit,
  readTime,
  refuseUnknown,
  wrongParameter,
} from '../http-api/parameters.ts';
import {
  advance,
  attentionFilters,
  type Cursor,
  decodeCursor,
  encodeCursor,
  isWithin,
  resume,
  sortOrders,
} from './cursor.ts';
import { notKept, type OrderQueryParts } from './order-surroundings.ts';
import { type FoldedOrder, orderViews } from './order-view.ts';

const parameters = [
  ...['updated_since', 'updated_until', 'status', 'attention', 'sort_order', 'limit', 'cursor', 'mode'],
];

/** Later than every time stamp. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/** An order of the page: its place in the index, and its current row. */
interface Listed extends FoldedOrder {
  readonly change: Change;
}

/**
 * One page of `GET /orders`. With a filter it may hold fewer orders than `limit`, or none, and still have a
 * `next_cursor`: status and attention are folded from the current facts, and no index holds them.
 */
export async function listOrders(parts: OrderQueryParts, { query }: RouteRequest): Promise<api.OrderList> {
  if (parts.changes === undefined) throw notKept('changesIndex');
  refuseUnknown(query, parameters);
  const now = parts.now();
  const limit = readLimit(query, { byDefault: listOrdersDefault, max: listOrdersMax });
  const cursor = resume(readPlace(query, now), now);
  const { mode, position } = cursor;
  const { changes, more } = await parts.changes[cursor.sortOrder === 'asc' ? 'after' : 'before'](
    mode,
    position,
    limit,
  );
  const inTime = changes.filter((change) => isWithin(cursor, change));
  const listed = await readRows(parts, inTime);
  const page = withinEvents(listed);
  const end = page.length < listed.length ? page.at(-1)?.change : inTime.at(-1);
  const isLast = page.length === listed.length && !(more && inTime.length === changes.length);
  const shown = page.filter(({ state }) => isListed(state, cursor));
  return {
    orders: await orderViews(parts, shown),
    next_cursor: end === undefined || isLast ? null : encodeCursor(advance(cursor, end, now)),
  };
}

/** The cursor of the request, or one for the beginning of the list that its parameters select. */
function readPlace(query: Parameters, now: number): Cursor {
  const cursor = readCursor(query, decodeCursor);
  /** A cursor keeps these parameters: a repetition of one is fine, another value is not. */
  const kept = <Value extends string>(name: string, values: readonly Value[], held: Value | undefined) => {
    const given = query[name];
    if (given === undefined) return held;
    const value = values.find((one) => one === given);
    if (value === undefined) throw wrongParameter(name, given, choiceOf(values));
    if (cursor === undefined || value === held) return value;
    throw wrongParameter(name, given, `${held ?? 'none'}, the ${name} of the cursor`);
  };
  const filter = {
    mode: kept('mode', ['live', 'sandbox'], cursor?.mode) ?? 'live',
    status: kept('status', orderStatuses, cursor?.status),
    attention: kept('attention', attentionFilters, cursor?.attention),
  };
  const sortOrder = kept('sort_order', sortOrders, cursor?.sortOrder) ?? 'asc';
  const updatedSince = readTime(query, 'updated_since') ?? new Date(0).toISOString();
  const updatedUntil = readTime(query, 'updated_until');
  if (cursor !== undefined) return cursor;
  if (sortOrder === 'desc') {
    return {
      ...filter,
      sortOrder,
      position: { updatedAt: updatedUntil ?? endOfTime, tie: '' },
      updatedSince,
    };
  }
  const position = { updatedAt: updatedSince, tie: '' };
  return { ...filter, sortOrder, position, settled: position, updatedUntil, since: now };
}

/** "live or sandbox", "one of a, b, c". */
const choiceOf = (values: readonly string[]): string =>
  values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`;

function isListed(state: OrderState, { status, attention }: Cursor): boolean {
  if (status !== undefined && state.status !== status) return false;
  if (attention === undefined) return true;
  return attention === 'any' ? state.attention.length > 0 : state.attention.includes(attention);
}

async function readRows({ orders }: OrderQueryParts, changes: readonly Change[]): Promise<Listed[]> {
  const rows = await orders.getAll(changes.map(({ key }) => key));
  return changes.flatMap((change) => {
    const row = rows.get(change.key);
    return row === undefined ? [] : [{ change, row, state: foldOrder(row.facts) }];
  });
}

/** The orders whose events fit into one look-up; at least one, so that every page makes progress. */
function withinEvents(listed: readonly Listed[]): readonly Listed[] {
  let events = 0;
  const over = listed.findIndex(({ state }, index) => {
    events += state.events.length;
    return index > 0 && events > listEventsMax;
  });
  return over === -1 ? listed : listed.slice(0, over);
}
