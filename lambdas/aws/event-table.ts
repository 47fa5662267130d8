import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { asIn020, type RowFormat } from '../contract/row-format.ts';
import { compactAttributes, eventAttributes, eventKey, eventRecord } from '../contract/schema.ts';
import type { EventReader, EventWriter } from '../ports/stores.ts';
import type { UnrecognisedReader } from '../ports/unrecognised-reader.ts';
import { idsOf } from './compact-item.ts';
import { asStoreError, conditionFailure, type Item, text } from './dynamodb.ts';
import { eraseExpression } from './erase-expression.ts';
import {
  bodySha256Of,
  fromEventItem,
  fromSummaryItem,
  summaryAttributes,
  toBodyItem,
  toEventItem,
} from './event-item.ts';
import { toEventNameItem } from './event-name-item.ts';
import { createEventRows } from './event-rows.ts';
import { getItems } from './get-items.ts';
import { toPlainRow } from './plain-row.ts';
import { settleExpression } from './settle-expression.ts';

/** Implements the ports of the events in the table `events`; SDK exceptions stop here. */
export function createEventTable(
  client: DynamoDBClient,
  tableName: string,
  format: RowFormat = asIn020,
): EventWriter & EventReader & UnrecognisedReader {
  const keyOf = (key: string, record: string): Item => ({
    [eventAttributes.key]: text(key),
    [eventAttributes.record]: text(record),
  });

  async function read(Key: Item): Promise<Item | undefined> {
    const get = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
    return (await client.send(get)).Item;
  }

  /**
   * `undefined` when the item is stored; otherwise the one that exists, where the response holds it. One that
   * expires before a given time counts as absent.
   */
  async function putIfAbsent(
    item: Item,
    expiresBefore?: number,
  ): Promise<{ readonly item: Item | undefined } | undefined> {
    const isAbsent = `attribute_not_exists(${eventAttributes.key})`;
    const expires = `${eventAttributes.expiresAt} < :expiresBefore`;
    try {
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: item,
          ConditionExpression: expiresBefore ? `${isAbsent} OR ${expires}` : isAbsent,
          ...(expiresBefore && {
            ExpressionAttributeValues: { ':expiresBefore': { N: String(expiresBefore) } },
          }),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return undefined;
    } catch (error) {
      const failure = conditionFailure(error);
      if (failure === undefined) throw asStoreError(error);
      return failure;
    }
  }

  return {
    async put(row) {
      const present = await putIfAbsent(toEventItem(row, format));
      if (present === undefined) return { kind: 'stored' };
      const existing = present.item ?? (await read(keyOf(row.key, row.record)));
      // Only rows of 0.2.0 expire. The next put finds the key free.
      if (existing === undefined)
        throw new Error('The existing row expired between two calls; the record is retried.');
      return { kind: 'present', row: fromEventItem(existing) };
    },

    async putBody(row) {
      await putIfAbsent(toBodyItem(row, format), row.expiresAt);
    },

    async putEventName(row) {
      await putIfAbsent(toEventNameItem(row));
    },

    async getRow(key, record) {
      const item = await read(keyOf(key, record));
      return item && fromEventItem(item);
    },

    async settle(settlement) {
      const Key = keyOf(settlement.key, eventRecord.event);
      if (settlement.waiting !== undefined) await toPlainRow(client, { tableName, Key });
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key,
            ...settleExpression(settlement),
          }),
        );
        return Attributes && bodySha256Of(Attributes);
      } catch (error) {
        if (conditionFailure(error) === undefined) throw asStoreError(error);
        return undefined;
      }
    },

    async setBodyExpiry({ key, bodySha256 }, expiresAt) {
      const set = 'SET #expiresAt = if_not_exists(#expiresAt, :expiresAt)';
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: keyOf(key, eventRecord.body(bodySha256)),
            UpdateExpression: expiresAt === undefined ? 'REMOVE #expiresAt' : set,
            // An erased body must not expire: a later delivery would store it again.
            ConditionExpression: 'attribute_exists(body) OR attribute_exists(#body)',
            ExpressionAttributeNames: {
              '#expiresAt': eventAttributes.expiresAt,
              '#body': compactAttributes.body,
            },
            ...(expiresAt && { ExpressionAttributeValues: { ':expiresAt': { N: String(expiresAt) } } }),
          }),
        );
      } catch (error) {
        if (conditionFailure(error) === undefined) throw error;
      }
    },

    async eraseBody(erasure) {
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: keyOf(erasure.key, erasure.record),
            ...eraseExpression(erasure),
          }),
        );
      } catch (error) {
        if (conditionFailure(error) === undefined) throw error;
      }
    },

    ...createEventRows(client, tableName),

    async summaries(mode, eventIds) {
      const read = async (ids: readonly string[], consistent: boolean) => {
        const keys = ids.map((eventId) => keyOf(eventKey(mode, eventId), eventRecord.event));
        const items = await getItems(client, { tableName, keys, projection: summaryAttributes, consistent });
        return items.map((item) => [idsOf(item).eventId, fromSummaryItem(item)] as const);
      };
      const ids = [...new Set(eventIds)];
      const found = new Map(await read(ids, false));
      // A row that such a read does not find may be new; a missing summary means that it has expired.
      const missing = ids.filter((id) => !found.has(id));
      return new Map([...found, ...(await read(missing, true))]);
    },
  };
}
