import {
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { changeShard, orderAttributes, orderKey } from '../contract/schema.ts';
import type {
  OrderFacts,
  OrderMerge,
  OrderReader,
  OrderRef,
  OrderRow,
  OrderWriter,
} from '../ports/stores.ts';
import { asStoreError, conditionFailure, type Item, requiredText, text } from './dynamodb.ts';
import { getItems } from './get-items.ts';
import { createSingleAttemptClient, stampedWrite } from './stamped-write.ts';

/** Implements the ports of the table `orders`; SDK exceptions stop here. */
export function createOrderTable(client: DynamoDBClient, tableName: string): OrderWriter & OrderReader {
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
              ...mergeExpression(merge),
            }),
          ),
        );
        return { ...factsOf(Attributes), changed: true };
      } catch (error) {
        const failure = conditionFailure(error);
        if (failure === undefined) throw asStoreError(error);
        return { ...factsOf(failure.item ?? (await read(merge.order))), changed: false };
      }
    },

    async setStatus(order, status, factCount) {
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: keyOf(order),
            UpdateExpression: 'SET #status = :status',
            ConditionExpression: 'size(#facts) = :count',
            ExpressionAttributeNames: { '#status': orderAttributes.status, '#facts': orderAttributes.facts },
            ExpressionAttributeValues: { ':status': text(status), ':count': { N: String(factCount) } },
          }),
        );
      } catch (error) {
        if (conditionFailure(error) === undefined) throw error;
      }
    },

    async get(order) {
      const item = await read(order);
      if (item === undefined) return undefined;
      return toRow(item);
    },

    async getAll(keys) {
      const items = await getItems(client, {
        tableName,
        keys: keys.map((key) => ({ [orderAttributes.key]: text(key) })),
        // A row older than its index entry would hide a change from a reader who then moves past it.
        consistent: true,
      });
      return new Map(items.map((item) => [requiredText(item, orderAttributes.key), toRow(item)]));
    },
  };
}

const keyOf = ({ mode, id }: OrderRef): Item => ({ [orderAttributes.key]: text(orderKey(mode, id)) });

function factsOf(item: Item | undefined): OrderFacts {
  return { facts: item?.[orderAttributes.facts]?.SS ?? [], status: item?.[orderAttributes.status]?.S };
}

function toRow(item: Item): OrderRow {
  const mode = requiredText(item, orderAttributes.mode);
  return {
    order: { mode: mode === 'sandbox' ? 'sandbox' : 'live', id: requiredText(item, orderAttributes.orderId) },
    ...factsOf(item),
    updatedAt: requiredText(item, orderAttributes.updatedAt),
  };
}

/**
 * One write per order: the union of the sets, on condition that at least one fact is missing, so that a
 * repeated merge changes neither `updated_at` nor the index. A retry may apply `ADD` to a set twice without
 * harm.
 */
function mergeExpression({
  order,
  facts,
  status,
  now,
}: OrderMerge): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const missing = facts.map((_, index) => `NOT contains(#facts, :fact${index})`);
  const known = Object.fromEntries(facts.map((fact, index) => [`:fact${index}`, text(fact)]));
  return {
    UpdateExpression:
      'ADD #facts :facts SET #status = if_not_exists(#status, :status), #updatedAt = :at, ' +
      '#shard = :shard, #mode = :mode, #orderId = :orderId',
    ConditionExpression: missing.join(' OR '),
    ExpressionAttributeNames: {
      '#facts': orderAttributes.facts,
      '#status': orderAttributes.status,
      '#updatedAt': orderAttributes.updatedAt,
      '#shard': orderAttributes.changeShard,
      '#mode': orderAttributes.mode,
      '#orderId': orderAttributes.orderId,
    },
    ExpressionAttributeValues: {
      ':facts': { SS: [...facts] },
      ...known,
      ':status': text(status),
      ':at': text(now().toISOString()),
      ':shard': text(changeShard(order.mode, orderKey(order.mode, order.id))),
      ':mode': text(order.mode),
      ':orderId': text(order.id),
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}
