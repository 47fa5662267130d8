import { createHash } from 'node:crypto';
import { type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { actsReadMax } from '../contract/operations-limits.ts';
import { eventAttributes, eventRecord } from '../contract/schema.ts';
import type { Act, ActName, ActReader, ActWriter } from '../ports/acts.ts';
import { conditionFailure, type Item, requiredText, text, textItem } from './dynamodb.ts';

/** Implements the ports of the acts in the table `events`; SDK exceptions stop here. */
export function createActTable(client: DynamoDBClient, tableName: string): ActWriter & ActReader {
  async function put(act: Act, partition: string): Promise<void> {
    try {
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: toActItem(act, partition),
          ConditionExpression: `attribute_not_exists(${eventAttributes.key})`,
        }),
      );
    } catch (error) {
      if (conditionFailure(error) === undefined) throw error;
    }
  }

  return {
    async putAct(act, partitions) {
      await Promise.all([...new Set(partitions)].map((partition) => put(act, partition)));
    },

    async actsOf(partition) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: '#key = :key AND begins_with(#record, :acts)',
          ExpressionAttributeNames: { '#key': eventAttributes.key, '#record': eventAttributes.record },
          ExpressionAttributeValues: { ':key': text(partition), ':acts': text(eventRecord.acts) },
          ConsistentRead: true,
          ScanIndexForward: false,
          Limit: actsReadMax,
        }),
      );
      return Items.map(fromActItem).reverse();
    },
  };
}

const toActItem = (act: Act, partition: string): Item =>
  textItem({
    [eventAttributes.key]: partition,
    [eventAttributes.record]: eventRecord.act(act.at, actId(act)),
    act: act.act,
    by: act.by,
    at: act.at,
    reason: act.reason,
    event_id: act.eventId,
    order_id: act.orderId,
    body_sha256: act.bodySha256,
    event_name: act.eventName,
  });

/** Derived from the act, so that a repetition finds its row. */
function actId({ act, by, eventId, orderId, bodySha256, eventName }: Act): string {
  const content = JSON.stringify([act, by, eventId, orderId, bodySha256, eventName]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

function fromActItem(item: Item): Act {
  const optional = {
    eventId: 'event_id',
    orderId: 'order_id',
    bodySha256: 'body_sha256',
    eventName: 'event_name',
  };
  const present = Object.entries(optional).flatMap(([field, attribute]) => {
    const value = item[attribute]?.S;
    return value === undefined ? [] : [[field, value]];
  });
  return {
    act: requiredText(item, 'act') as ActName,
    by: requiredText(item, 'by'),
    at: requiredText(item, 'at'),
    reason: requiredText(item, 'reason'),
    ...Object.fromEntries(present),
  };
}
