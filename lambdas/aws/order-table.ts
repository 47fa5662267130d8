import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { orderHeadroomBytes } from '../contract/limits.ts';
import { scanPageOrders } from '../contract/operations-limits.ts';
import { changeShard, orderAttributes as names, orderKey, orderOfKey } from '../contract/schema.ts';
import { type OrderRef, type OrderRow, unknownTime } from '../ports/rows.ts';
import type { OrderScan } from '../ports/scans.ts';
import type { DeliveryStore, OrderMerge, OrderReader, RepairStore } from '../ports/stores.ts';
import { createSingleAttemptClient, stampedWrite } from './dynamodb.ts';
import type { Condition, Edit } from './expressions.ts';
import { expiryOf, type Item, requiredText, toItem, type Values } from './items.ts';
import { getItem, getItems, scanPage, updateItem } from './table.ts';

export interface OrderTableSettings {
  /** Added to every sequence that is read: the setting `sequenceBase`. */
  readonly sequenceBase?: number;
}

type OrderTable = OrderReader & OrderScan & Pick<DeliveryStore, 'merge'> & Pick<RepairStore, 'orderRows'>;

/** The rows of the table `orders`. */
export function createOrderTable(
  client: DynamoDBClient,
  tableName: string,
  { sequenceBase = 0 }: OrderTableSettings = {},
): OrderTable {
  const table = { client, name: tableName };
  const oneAttempt = { client: createSingleAttemptClient(client), name: tableName };

  async function rowsOf(orderKeys: readonly string[]): Promise<readonly (readonly [string, OrderRow])[]> {
    const keys = [...new Set(orderKeys)].map((key) => toItem({ [names.key]: key }));
    // A row older than its index entry would hide a change from a reader who then moves past it.
    const items = await getItems(table, { keys });
    return items
      .map((item) => [requiredText(item, names.key), toOrderRow(item, sequenceBase)] as const)
      .filter(([key]) => orderOfKey(key) !== undefined);
  }

  return {
    async merge(merge) {
      const update = () => ({ key: orderItemKey(merge.order), ...mergeUpdate(merge) });
      const { item, isDone } = await stampedWrite(() => updateItem(oneAttempt, update()));
      return { facts: factsOf(item), changed: isDone };
    },

    async get(order) {
      const item = await getItem(table, orderItemKey(order));
      return item && toOrderRow(item, sequenceBase);
    },

    getAll: async (keys) => new Map(await rowsOf(keys)),

    async orderRows(mode, ids) {
      const rows = await rowsOf(ids.map((id) => orderKey(mode, id)));
      return new Map(rows.map(([, row]) => [row.order.id, row]));
    },

    async page({ mode, after }) {
      const { items, last } = await scanPage(table, {
        filter: { text: `begins_with(#${names.key}, :prefix)`, values: { ':prefix': orderKey(mode, '') } },
        Limit: scanPageOrders,
        ExclusiveStartKey: after === undefined ? undefined : toItem({ [names.key]: after }),
      });
      const orders = items.map((item) => toOrderRow(item, sequenceBase));
      return { orders, next: last && requiredText(last, names.key) };
    },
  };
}

export const orderItemKey = ({ mode, id }: OrderRef): Item => toItem({ [names.key]: orderKey(mode, id) });

const factsOf = (item: Item = {}): readonly string[] => item[names.facts]?.SS ?? [];

/**
 * Also of a damaged row, which must not hide the others of a list: without facts the order is empty, and
 * without its time it is as old as can be; a rebuild repairs both.
 */
function toOrderRow(item: Item, sequenceBase: number): OrderRow {
  const published = item[names.published]?.S;
  return {
    order: orderOfKey(requiredText(item, names.key)) as OrderRef,
    facts: factsOf(item),
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
  const isFactMissing: Condition = {
    text: facts.map((_, index) => `NOT contains(#${names.facts}, :fact${index})`).join(' OR '),
    values: Object.fromEntries(facts.map((fact, index) => [`:fact${index}`, fact])),
  };
  const edit = { set, setIfAbsent: headroom, add: { ...add, [names.facts]: facts } };
  return { edit, condition: isFactMissing };
}
