import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { orderHeadroomBytes } from '../contract/limits.ts';
import { changeShard, orderAttributes as names, orderKey, orderOfKey } from '../contract/schema.ts';
import { type OrderRef, type OrderRow, unknownTime } from '../ports/rows.ts';
import type { DeliveryStore, OrderMerge, OrderReader, RepairStore } from '../ports/stores.ts';
import { asStoreError, conditionFailure } from './dynamodb.ts';
import { type Condition, type Edit, updateOf } from './expressions.ts';
import { getItems } from './get-items.ts';
import { expiryOf, type Item, requiredText, toItem, type Values } from './items.ts';
import { createSingleAttemptClient, stampedWrite } from './stamped-write.ts';

export interface OrderTableSettings {
  /** Added to every sequence that is read: the setting `sequenceBase`. */
  readonly sequenceBase?: number;
}

/** The rows of the table `orders`; SDK exceptions stop here. */
export function createOrderTable(
  client: DynamoDBClient,
  tableName: string,
  { sequenceBase = 0 }: OrderTableSettings = {},
): OrderReader & Pick<DeliveryStore, 'merge'> & Pick<RepairStore, 'orderRows'> {
  const singleAttemptClient = createSingleAttemptClient(client);

  async function read(order: OrderRef): Promise<Item | undefined> {
    const get = new GetItemCommand({ TableName: tableName, Key: orderItemKey(order), ConsistentRead: true });
    return (await client.send(get)).Item;
  }

  async function rowsOf(orderKeys: readonly string[]): Promise<readonly (readonly [string, OrderRow])[]> {
    const keys = [...new Set(orderKeys)].map((key) => toItem({ [names.key]: key }));
    // A row older than its index entry would hide a change from a reader who then moves past it.
    const items = await getItems(client, { tableName, keys, consistent: true });
    return items
      .map((item) => [requiredText(item, names.key), toOrderRow(item, sequenceBase)] as const)
      .filter(([key]) => orderOfKey(key) !== undefined);
  }

  return {
    async merge(merge) {
      try {
        const { Attributes } = await stampedWrite(() =>
          singleAttemptClient.send(
            new UpdateItemCommand({
              TableName: tableName,
              Key: orderItemKey(merge.order),
              ...mergeUpdate(merge),
              ReturnValues: 'ALL_NEW',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            }),
          ),
        );
        return { facts: factsOf(Attributes), changed: true };
      } catch (error) {
        const failure = conditionFailure(error);
        if (failure === undefined) throw asStoreError(error);
        return { facts: factsOf(failure.item ?? (await read(merge.order))), changed: false };
      }
    },

    async get(order) {
      const item = await read(order);
      return item && toOrderRow(item, sequenceBase);
    },

    getAll: async (keys) => new Map(await rowsOf(keys)),

    async orderRows(mode, ids) {
      const rows = await rowsOf(ids.map((id) => orderKey(mode, id)));
      return new Map(rows.map(([, row]) => [row.order.id, row]));
    },
  };
}

export const orderItemKey = ({ mode, id }: OrderRef): Item => toItem({ [names.key]: orderKey(mode, id) });

const factsOf = (item: Item = {}): readonly string[] => item[names.facts]?.SS ?? [];

/**
 * Also of a damaged row, which must not hide the others of a list: without facts the order is empty, and
 * without its time it is as old as can be; a rebuild repairs both.
 */
export function toOrderRow(item: Item, sequenceBase: number): OrderRow {
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
  return updateOf({ set, setIfAbsent: headroom, add: { ...add, [names.facts]: facts } }, isFactMissing);
}
