import { type Change, changeOf } from '../contract/change-position.ts';
import { orderHeadroomBytes } from '../contract/limits.ts';
import { scanPageOrders } from '../contract/operations-limits.ts';
import {
  changeShard,
  changesIndexName,
  orderAttributes as names,
  orderKey,
  orderOfKey,
} from '../contract/schema.ts';
import { type OrderRef, type OrderRow, unknownTime } from '../ports/rows.ts';
import type { OrderScan } from '../ports/scans.ts';
import type { ChangeReader, DeliveryStore, OrderMerge, OrderReader, RepairStore } from '../ports/stores.ts';
import { createSingleAttemptClient, stampedWrite } from './dynamodb.ts';
import type { Edit } from './expressions.ts';
import { expiryOf, type Item, requiredText, toItem, type Values } from './items.ts';
import { createShardWalk, type ShardedIndex } from './shard-walk.ts';
import { getItem, getItems, scanPage, type Table, updateItem } from './table.ts';

type OrderTable = OrderReader & OrderScan & Pick<DeliveryStore, 'merge'> & Pick<RepairStore, 'orderRows'>;

/** The rows of the table `orders`. The setting `sequenceBase` is added to every sequence that is read. */
export function createOrderTable(table: Table, sequenceBase = 0): OrderTable {
  const oneAttempt = { ...table, client: createSingleAttemptClient(table.client) };
  const reader = createOrderReader(table, sequenceBase);

  return {
    ...reader,

    async merge(merge) {
      const update = () => ({ key: orderItemKey(merge.order), ...mergeUpdate(merge) });
      await stampedWrite(() => updateItem(oneAttempt, update()));
    },

    async orderRows(mode, ids) {
      const rows = await reader.getAll(ids.map((id) => orderKey(mode, id)));
      return new Map([...rows.values()].map((row) => [row.order.id, row]));
    },

    async page({ mode, segment, after }) {
      const { items, last } = await scanPage(table, {
        filter: { text: `begins_with(#${names.key}, :prefix)`, values: { ':prefix': orderKey(mode, '') } },
        ...{ segment, Limit: scanPageOrders },
        ExclusiveStartKey: after === undefined ? undefined : toItem({ [names.key]: after }),
      });
      const orders = items.map((item) => toOrderRow(item, sequenceBase));
      return { orders, next: last && requiredText(last, names.key) };
    },
  };
}

/** Apart from the writes, so that the order feed does not bundle them. */
export const createOrderReader = (table: Table, sequenceBase: number): OrderReader => ({
  async get(order) {
    const item = await getItem(table, orderItemKey(order));
    return item && toOrderRow(item, sequenceBase);
  },

  // A row older than its index entry would hide a change from a reader who then moves past it.
  async getAll(orderKeys, { consistent = true } = {}) {
    const keys = [...new Set(orderKeys)].map((key) => toItem({ [names.key]: key }));
    const items = await getItems(table, { keys, consistent });
    const rows = items.map(
      (item) => [requiredText(item, names.key), toOrderRow(item, sequenceBase)] as const,
    );
    return new Map(rows.filter(([key]) => orderOfKey(key) !== undefined));
  },
});

export const orderItemKey = ({ mode, id }: OrderRef): Item => toItem({ [names.key]: orderKey(mode, id) });

/**
 * Also of a damaged row, which must not hide the others of a list: without facts the order is empty, and
 * without its time it is as old as can be; a rebuild repairs both.
 */
function toOrderRow(item: Item, sequenceBase: number): OrderRow {
  const published = item[names.published]?.S;
  return {
    order: orderOfKey(requiredText(item, names.key)) as OrderRef,
    facts: item[names.facts]?.SS ?? [],
    updatedAt: item[names.updatedAt]?.S ?? unknownTime,
    sequence: Number(item[names.sequence]?.N ?? 0) + sequenceBase,
    ...(published !== undefined && { published }),
  };
}

/** What every change of an order writes: it is counted, and found by its time. */
export const changeOfOrder = (order: OrderRef, updatedAt: string): Required<Pick<Edit, 'set' | 'add'>> => ({
  set: {
    [names.updatedAt]: updatedAt,
    [names.changeShard]: changeShard(order.mode, orderKey(order.mode, order.id)),
    ...expiryOf(order.mode, updatedAt),
  },
  add: { [names.sequence]: 1 },
});

export const headroom: Values = { [names.headroom]: '0'.repeat(orderHeadroomBytes) };

/**
 * One write per order: the union of the sets, on condition that a fact is missing, so that a repeated merge
 * changes nothing. A retry may apply `ADD` to the set twice without harm.
 */
function mergeUpdate({ order, facts, now }: OrderMerge) {
  const { set, add } = changeOfOrder(order, now().toISOString());
  const isFactMissing = {
    text: facts.map((_, index) => `NOT contains(#${names.facts}, :fact${index})`).join(' OR '),
    values: Object.fromEntries(facts.map((fact, index) => [`:fact${index}`, fact])),
  };
  const edit = { set, setIfAbsent: headroom, add: { ...add, [names.facts]: facts } };
  return { edit, condition: isFactMissing };
}

/** Implements the port of the "changed since" index of `orders`. */
export function createChangeIndex(table: Table): ChangeReader {
  const index: ShardedIndex<Change> = {
    ...{ name: changesIndexName, shard: names.changeShard, time: names.updatedAt },
    read: (item) => changeOf(requiredText(item, names.updatedAt), requiredText(item, names.key)),
  };
  const [forward, backward] = [createShardWalk(table, index), createShardWalk(table, index, 'newest first')];
  return {
    async after(mode, position, limit) {
      const { found, more } = await forward({ mode, position, limit });
      return { changes: found, more };
    },
    async before(mode, position, limit) {
      const { found, more } = await backward({ mode, position, limit });
      return { changes: found, more };
    },
  };
}
