import {
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { orderHeadroomBytes } from '../contract/limits.ts';
import { asIn020, type RowFormat } from '../contract/row-format.ts';
import { changeShard, orderAttributes, orderKey, orderOfKey } from '../contract/schema.ts';
import { factOfStored, formsOf, storedFact } from '../domain/stored-fact.ts';
import type { OrderMerge, OrderReader, OrderRef, OrderRow, OrderWriter } from '../ports/stores.ts';
import { asStoreError, conditionFailure, type Item, requiredText, rowExpiry, text } from './dynamodb.ts';
import { getItems } from './get-items.ts';
import { createSingleAttemptClient, stampedWrite } from './stamped-write.ts';

/** Implements the ports of the table `orders`; SDK exceptions stop here. */
export function createOrderTable(
  client: DynamoDBClient,
  tableName: string,
  format: RowFormat = asIn020,
): OrderWriter & OrderReader {
  const singleAttemptClient = createSingleAttemptClient(client);

  async function read(order: OrderRef): Promise<Item | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: keyOf(order), ConsistentRead: true }),
    );
    return Item;
  }

  return {
    async merge(merge) {
      try {
        const { Attributes } = await stampedWrite(() =>
          singleAttemptClient.send(
            new UpdateItemCommand({
              TableName: tableName,
              Key: keyOf(merge.order),
              ...mergeExpression(merge, format),
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
      return item && toOrderRow(item);
    },

    async getAll(keys) {
      const items = await getItems(client, {
        tableName,
        keys: keys.map((key) => ({ [orderAttributes.key]: text(key) })),
        // A row older than its index entry would hide a change from a reader who then moves past it.
        consistent: true,
      });
      return new Map(items.map((item) => [requiredText(item, orderAttributes.key), toOrderRow(item)]));
    },
  };
}

const keyOf = ({ mode, id }: OrderRef): Item => ({ [orderAttributes.key]: text(orderKey(mode, id)) });

/** Each fact once, in whichever form the row holds it. */
export const factsOf = (item: Item = {}): readonly string[] => [
  ...new Set((item[orderAttributes.facts]?.SS ?? []).map(factOfStored)),
];

export function toOrderRow(item: Item): OrderRow {
  const key = requiredText(item, orderAttributes.key);
  const order = orderOfKey(key);
  if (order === undefined) throw new TypeError(`The table of orders has the key ${JSON.stringify(key)}.`);
  return { order, facts: factsOf(item), updatedAt: requiredText(item, orderAttributes.updatedAt) };
}

/**
 * One write per order: the union of the sets, on condition that at least one fact is missing in every form,
 * so that a repeated merge changes neither `updated_at` nor the index. A retry may apply `ADD` to a set twice
 * without harm; a fact that is added in a second form is still one fact.
 */
function mergeExpression(
  { order, facts, now, releasesHeadroom = false }: OrderMerge,
  { compact }: RowFormat,
): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const forms = facts.map((fact, index) =>
    formsOf(fact).map((form, n) => [`:fact${index}_${n}`, form] as const),
  );
  const missing = forms.map(
    (one) => `NOT (${one.map(([name]) => `contains(#facts, ${name})`).join(' OR ')})`,
  );
  const at = now();
  const expiresAt = rowExpiry(order.mode, at);
  const set = {
    updatedAt: text(at.toISOString()),
    changeShard: text(changeShard(order.mode, orderKey(order.mode, order.id))),
    // A full row that was compact so far has no room for them.
    ...(compact || releasesHeadroom ? {} : { mode: text(order.mode), orderId: text(order.id) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const reserve = compact ? ('padding' as const) : ('headroom' as const);
  const assignments = [
    ...Object.keys(set).map((name) => `#${name} = :${name}`),
    ...(releasesHeadroom ? [] : [`#${reserve} = if_not_exists(#${reserve}, :${reserve})`]),
  ];
  const removed = ['status', ...(releasesHeadroom ? (['headroom', 'padding'] as const) : [])] as const;
  const names = ['facts', ...Object.keys(set), ...removed, ...(releasesHeadroom ? [] : [reserve])] as const;
  return {
    UpdateExpression:
      `ADD #facts :facts SET ${assignments.join(', ')} ` +
      `REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    ConditionExpression: missing.join(' OR '),
    ExpressionAttributeNames: Object.fromEntries(
      names.map((name) => [`#${name}`, orderAttributes[name as keyof typeof orderAttributes]]),
    ),
    ExpressionAttributeValues: {
      ':facts': { SS: facts.map((fact) => (compact ? storedFact(fact) : fact)) },
      ...Object.fromEntries(forms.flat().map(([name, form]) => [name, text(form)])),
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...(releasesHeadroom ? {} : { [`:${reserve}`]: headroom }),
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

const headroom = text('0'.repeat(orderHeadroomBytes));
