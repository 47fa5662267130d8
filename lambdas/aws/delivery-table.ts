import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { eventKey, eventOfKey, eventRecord, eventAttributes as names } from '../contract/schema.ts';
import type { DeliveryStore } from '../ports/stores.ts';
import { bodyValues } from './body-item.ts';
import { unlessRefused } from './dynamodb.ts';
import { eventValues } from './event-item.ts';
import { eventNameValues } from './event-name-item.ts';
import { type Condition, conditionOf, type Edit, isAbsent, isAtCount, updateOf } from './expressions.ts';
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
      const isNew = `attribute_not_exists(#${names.waiting}) OR #${names.recordedAt} > :recorded`;
      const text = `attribute_not_exists(#${names.judged}) AND (${isNew})`;
      const values = { ':recorded': row.recordedAt };
      await put(eventNameValues({ ...row, waiting: 'event_name' }), { text, values });
    },

    async settle({ mode, eventId, orderIds }) {
      const updated = await update(
        keyOf(eventKey(mode, eventId), eventRecord.event),
        {
          set: { [names.outcome]: 'applied', [names.waiting]: undefined },
          add: { [names.assignedOrderIds]: orderIds, [names.version]: 1 },
        },
        isAtCount(names.key, names.version, 0),
      );
      return updated !== undefined;
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
