import {
  eventRecord,
  eventAttributes as events,
  orderAttributes as orders,
  transactionAttributes as transactions,
} from '../contract/schema.ts';
import { fullFact } from '../domain/fact.ts';
import type { Proposal } from '../ports/acts.ts';
import type { EventRow } from '../ports/rows.ts';
import type { BodyRow, Changes, RowChange } from '../ports/stores.ts';
import { actValues } from './act-table.ts';
import { bodyValues, eventNameValues, eventValues } from './event-item.ts';
import { type Condition, differenceOf, type Edit, isAbsent, isAsRead } from './expressions.ts';
import { expiryOf, type Item, itemKeyOf, toItem, type Values } from './items.ts';
import { changeOfOrder, headroom, orderItemKey } from './order-table.ts';
import { proposalValues } from './proposal-table.ts';
import { transactionItemKey } from './transaction-table.ts';

/** One item of a transaction, in whichever table. */
export interface Write {
  readonly table: 'events' | 'orders';
  readonly key: Item;
  readonly condition?: Condition;
  /** A write without any of these is a check. */
  readonly put?: Values;
  readonly edit?: Edit;
  readonly isDeletion?: boolean;
  readonly orderId?: string;
}

/**
 * Each row that changes, and a check of each that was read and must stay as it is. Orders get the time at
 * which it is sent, and not that of the plan: `GET /orders` relies on time stamps that are not old.
 */
export function writesOf(changes: Changes, sequenceBase: number): readonly Write[] {
  const at = new Date().toISOString();
  const acts = changes.acts.map(({ act, partition }) => putOf(actValues(act, partition)));
  return [
    ...eventWrites(changes.events),
    ...distinct([...bodyWrites(changes.events), ...acts]),
    ...changes.transactions.flatMap((change) => transactionWrites(change, at)),
    ...changes.orders.flatMap((change) => orderWrites(change, sequenceBase, at)),
    ...changes.names.map(nameWrite),
    ...(changes.proposals ?? []).map(proposalWrite),
  ];
}

const putOf = (put: Values) => ({ table: 'events', key: keyIn(put), put }) as const;
const keyIn = ({ [events.key]: key, [events.record]: record }: Values): Item =>
  toItem({ [events.key]: key, [events.record]: record });

/** A transaction takes each item once. */
const distinct = (writes: readonly Write[]): readonly Write[] => [
  ...new Map(writes.map((write) => [JSON.stringify(write.key), write])).values(),
];

/** The row of the event is the lock on its id: it is counted on when any row under the id changes. */
function eventWrites(changes: Changes['events']): readonly Write[] {
  const changed = new Set(changes.flatMap(({ before, after }) => (before === after ? [] : [after.key])));
  return changes.map(({ before, after }): Write => {
    const condition = isAsRead(events.key, events.version, before?.version);
    if (before === undefined) return { ...putOf(eventValues(after)), condition };
    const row = { table: 'events', key: itemKeyOf(after.key, after.record), condition } as const;
    const isLock = after.record === eventRecord.event && changed.has(after.key);
    if (before === after && !isLock) return row;
    return { ...row, edit: { set: eventDifference(before, after), add: { [events.version]: 1 } } };
  });
}

/** An unchanged body is not written again. */
function eventDifference(before: EventRow, after: EventRow): Values {
  const isBodyKept = before.body && after.body && Boolean(before.bodyRow) === Boolean(after.bodyRow);
  const valuesOf = ({ body, ...row }: EventRow): Values =>
    eventValues({ ...row, ...(body !== undefined && !isBodyKept && { body }), version: 0 });
  return differenceOf(valuesOf(before), valuesOf(after));
}

/** Rows of bodies that have one of their own. A body that two rows name stays while one of them has it. */
function bodyWrites(changes: Changes['events']): readonly Write[] {
  const itemKey = ({ key, bodySha256 }: EventRow): Item => itemKeyOf(key, eventRecord.body(bodySha256));
  const kept = new Set(
    changes.flatMap(({ after }) => (ownBody(after) ? [JSON.stringify(itemKey(after))] : [])),
  );
  return changes.flatMap(({ before, after }): readonly Write[] => {
    const [old, next] = [before && ownBody(before), ownBody(after)];
    const row = { table: 'events', key: itemKey(after) } as const;
    if (next !== undefined && old === undefined) return [{ ...row, put: bodyValues(next) }];
    if (next === undefined) {
      return old === undefined || kept.has(JSON.stringify(row.key)) ? [] : [{ ...row, isDeletion: true }];
    }
    if (next.expiresAt === old?.expiresAt) return [];
    const edit = { set: { [events.expiresAt]: next.expiresAt } };
    return [{ ...row, edit, condition: { text: `attribute_exists(#${events.body})` } }];
  });
}

const ownBody = ({ key, bodySha256, body, bodyRow }: EventRow): BodyRow | undefined =>
  body === undefined || bodyRow === undefined ? undefined : { key, bodySha256, body, ...bodyRow };

type TransactionChange = Changes['transactions'][number];

function transactionWrites({ mode, transactionId, before, after }: TransactionChange, at: string): Write[] {
  if (before === undefined && after.entries.length === 0) return [];
  const { entries, joinedAt, version } = transactions;
  const condition = isAsRead(events.key, version, before?.version);
  const row = { table: 'events', key: transactionItemKey(mode, transactionId), condition } as const;
  if (before === after) return [row];
  const joined = after.joinedAt !== undefined && { [joinedAt]: after.joinedAt };
  const set = { [entries]: after.entries, ...joined, ...expiryOf(mode, at) };
  return [{ ...row, edit: { set, add: { [version]: 1 } } }];
}

type OrderChange = Changes['orders'][number];

/** The fact that reports a full row takes the room that the row kept for it. */
function orderWrites({ before, after }: OrderChange, sequenceBase: number, at: string): Write[] {
  if (before === undefined && after.facts.length === 0) return [];
  const { order, facts, published } = after;
  const count = before && before.sequence - sequenceBase;
  const condition = isAsRead(orders.key, orders.sequence, count);
  const row = { table: 'orders', key: orderItemKey(order), condition, orderId: order.id } as const;
  if (before === after) return [row];
  const { set, add } = changeOfOrder(order, at);
  const changed = {
    ...set,
    [orders.facts]: facts,
    ...(published !== undefined && { [orders.published]: published }),
  };
  const edit = facts.includes(fullFact)
    ? { set: { ...changed, [orders.headroom]: undefined }, add }
    : { set: changed, setIfAbsent: headroom, add };
  return [{ ...row, edit }];
}

/** A name that no longer waits. */
function nameWrite({ before, after }: Changes['names'][number]): Write {
  const [old, next] = [eventNameValues(before), eventNameValues(after)];
  const condition: Condition = {
    text: `#${events.recordedAt} = :recorded AND #${events.waiting} = :waiting`,
    values: { ':recorded': old[events.recordedAt], ':waiting': old[events.waiting] },
  };
  return { table: 'events', key: keyIn(next), condition, edit: { set: differenceOf(old, next) } };
}

/** A proposal is stored once, approved once, and ended once. */
function proposalWrite({ before, after }: RowChange<Proposal>): Write {
  const next = proposalValues(after);
  if (before === undefined) return { ...putOf(next), condition: isAbsent(events.key) };
  const old = proposalValues(before);
  const isApproved = before.approved === undefined ? 'attribute_not_exists' : 'attribute_exists';
  const condition: Condition = {
    text: `#${events.waiting} = :waiting AND ${isApproved}(#approved)`,
    values: { ':waiting': old[events.waiting] },
  };
  return { table: 'events', key: keyIn(next), condition, edit: { set: differenceOf(old, next) } };
}
