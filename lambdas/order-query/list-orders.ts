import type * as api from '@payhooks/order-client';
import type { Change } from '../contract/change-position.ts';
import { listEventsMax } from '../contract/limits.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { ChangePage, ChangeReader, EventReader, OrderReader } from '../ports/stores.ts';
import { encodeCursor, type ListFilter } from './cursor.ts';
import { orderView } from './order-view.ts';
import type { ListRequest } from './parameters.ts';
import { advanceWalk, type BackwardWalk, beginWalk, isWithin, resumeWalk, type Walk } from './walk.ts';

export interface ListParts {
  readonly changes: ChangeReader;
  readonly orders: OrderReader;
  readonly events: EventReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** An order of the page: its place in the index, and its current row. */
interface Listed {
  readonly change: Change;
  readonly row: OrderRow;
  readonly state: OrderState;
}

/**
 * One page of `GET /orders`. With a filter it may hold fewer orders than `limit`, or none, and still have a
 * `next_cursor`: status and attention are folded from the current facts, and no index holds them.
 */
export async function listOrders(parts: ListParts, request: ListRequest): Promise<api.OrderList> {
  const now = parts.now();
  const { mode, status, attention, limit, cursor } = request;
  const walk = cursor === undefined ? beginWalk(request, now) : resumeWalk(cursor, now);
  const { changes, more } = await readChanges(parts, walk, { mode, limit });
  const listed = await readRows(parts, changes);
  const page = withinEvents(listed);
  const end = page.length < listed.length ? page.at(-1)?.change : changes.at(-1);
  const shown = page.filter(({ state }) => isListed(state, request));
  const hasNext = end !== undefined && (more || page.length < listed.length);
  return {
    orders: await toViews(parts, shown),
    next_cursor: hasNext ? encodeCursor({ mode, status, attention, ...advanceWalk(walk, end, now) }) : null,
  };
}

async function readChanges(
  { changes }: ListParts,
  walk: Walk | BackwardWalk,
  { mode, limit }: Pick<ListRequest, 'mode' | 'limit'>,
): Promise<ChangePage> {
  const isForward = walk.sortOrder === 'asc';
  const page = await changes[isForward ? 'after' : 'before'](mode, walk.position, limit);
  const inTime = page.changes.filter((change) => isWithin(walk, change));
  return { changes: inTime, more: page.more && inTime.length === page.changes.length };
}

function isListed(state: OrderState, { status, attention }: Omit<ListFilter, 'mode'>): boolean {
  if (status !== undefined && state.status !== status) return false;
  if (attention === undefined) return true;
  return attention === 'any' ? state.attention.length > 0 : state.attention.includes(attention);
}

async function readRows({ orders }: ListParts, changes: readonly Change[]): Promise<Listed[]> {
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

async function toViews({ events }: ListParts, listed: readonly Listed[]): Promise<api.Order[]> {
  const [first] = listed;
  if (first === undefined) return [];
  const ids = listed.flatMap(({ state }) => state.events.map(({ id }) => id));
  const summaries = await events.summaries(first.row.order.mode, ids);
  return listed.map(({ row, state }) => orderView({ row, state, summaries }));
}
