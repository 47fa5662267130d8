import {
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { orderHeadroomBytes } from '../contract/limits.ts';
import { changeShard, orderAttributes, orderKey } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { OrderMerge, OrderReader, OrderRef, OrderRow, OrderWriter } from '../ports/stores.ts';
import { asStoreError, conditionFailure, type Item, requiredText, rowExpiry, text } from './dynamodb.ts';
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
        return { facts: factsOf(Attributes), changed: true };
      } catch (error) {
        const failure = conditionFailure(error);
        if (failure === undefined) throw asStoreError(error);
        return { facts: factsOf(failure.item ?? (await read(merge.order))), changed: false };
      }
    },

    async get(order) {
      const item = await read(order);
      if (item === undefined) return undefined;
      return toOrderRow(item);
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

const factsOf = (item: Item | undefined): readonly string[] => item?.[orderAttributes.facts]?.SS ?? [];

const headroom = text('0'.repeat(orderHeadroomBytes));

export function toOrderRow(item: Item): OrderRow {
  const mode = requiredText(item, orderAttributes.mode) as AnyMode;
  return {
    order: { mode, id: requiredText(item, orderAttributes.orderId) },
    facts: factsOf(item),
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
  now,
  releasesHeadroom = false,
}: OrderMerge): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const missing = facts.map((_, index) => `NOT contains(#facts, :fact${index})`);
  const known = Object.fromEntries(facts.map((fact, index) => [`:fact${index}`, text(fact)]));
  const at = now();
  const expiresAt = rowExpiry(order.mode, at);
  const change =
    'ADD #facts :facts SET #updatedAt = :at, #shard = :shard, #mode = :mode, #orderId = :orderId' +
    (expiresAt === undefined ? '' : ', #expiresAt = :expiresAt');
  const reserve = ', #headroom = if_not_exists(#headroom, :headroom) REMOVE #status';
  return {
    UpdateExpression: change + (releasesHeadroom ? ' REMOVE #status, #headroom' : reserve),
    ConditionExpression: missing.join(' OR '),
    ExpressionAttributeNames: {
      '#facts': orderAttributes.facts,
      '#status': orderAttributes.status,
      '#headroom': orderAttributes.headroom,
      '#updatedAt': orderAttributes.updatedAt,
      '#shard': orderAttributes.changeShard,
      '#mode': orderAttributes.mode,
      '#orderId': orderAttributes.orderId,
      ...(expiresAt === undefined ? {} : { '#expiresAt': orderAttributes.expiresAt }),
    },
    ExpressionAttributeValues: {
      ':facts': { SS: [...facts] },
      ...known,
      ...(releasesHeadroom ? {} : { ':headroom': headroom }),
      ':at': text(at.toISOString()),
      ':shard': text(changeShard(order.mode, orderKey(order.mode, order.id))),
      ':mode': text(order.mode),
      ':orderId': text(order.id),
      ...(expiresAt === undefined ? {} : { ':expiresAt': expiresAt }),
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}
