import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { eventKey, eventOfKey, eventRecord, eventAttributes as names } from '../contract/schema.ts';
import type { DeliveryStore } from '../ports/stores.ts';
import { bodyValues } from './body-item.ts';
import { unlessRefused } from './dynamodb.ts';
import { bodySha256In, eventValues } from './event-item.ts';
import { eventNameValues } from './event-name-item.ts';
import { type Condition, conditionOf, type Edit, isAbsent, updateOf } from './expressions.ts';
import { expiryOf, keyOf, toItem, type Values } from './items.ts';

/** The writes of a first delivery to rows of events; SDK exceptions stop here. */
export function createDeliveryTable(
  client: DynamoDBClient,
  tableName: string,
): Omit<DeliveryStore, 'join' | 'merge'> {
  /** Returns whether the condition held. */
  async function put(values: Values, condition: Condition): Promise<boolean> {
    const Item = toItem(values);
    const request = new PutItemCommand({ TableName: tableName, Item, ...conditionOf(condition) });
    return (await unlessRefused(client.send(request))) !== undefined;
  }

  function update(key: Values, edit: Edit, condition: Condition) {
    const request = { TableName: tableName, Key: toItem(key), ...updateOf(edit, condition) };
    return unlessRefused(client.send(new UpdateItemCommand({ ...request, ReturnValues: 'ALL_NEW' })));
  }

  return {
    put: (row) => put(eventValues(row), isAbsent(names.key)),

    async putBody(row) {
      const expiry = expiryOf(eventOfKey(row.key)?.mode ?? 'live', new Date().toISOString());
      await put({ ...bodyValues(row), ...(row.expiresAt === undefined && expiry) }, isAbsent(names.key));
    },

    async putEventName(row) {
      const isSettled = `attribute_exists(#${names.waiting}) OR attribute_exists(#${names.judged})`;
      await put(eventNameValues({ ...row, waiting: 'event_name' }), { text: `NOT (${isSettled})` });
    },

    async settle({ mode, eventId, transactionId, orderIds }) {
      if (orderIds.length === 0) return undefined;
      const updated = await update(
        keyOf(eventKey(mode, eventId), eventRecord.event),
        {
          set: { [names.outcome]: 'applied', [names.waiting]: undefined, [names.reason]: undefined },
          add: { [names.assignedOrderIds]: orderIds, [names.version]: 1 },
        },
        {
          text: `#${names.transactionId} = :transaction AND attribute_not_exists(#${names.orderId})`,
          values: { ':transaction': transactionId },
        },
      );
      return updated?.Attributes && bodySha256In(updated.Attributes);
    },

    async expireBody({ key, bodySha256 }, expiresAt) {
      await update(
        keyOf(key, eventRecord.body(bodySha256)),
        { setIfAbsent: { [names.expiresAt]: expiresAt } },
        { text: `attribute_exists(#${names.body})` },
      );
    },
  };
}
