import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { compactAttributes } from '../contract/schema.ts';
import { isCompact } from './compact-item.ts';
import { conditionFailure, type Item } from './dynamodb.ts';
import { fromEventItem } from './event-item.ts';
import { toPlainItem } from './plain-item.ts';

interface RowToChange {
  readonly tableName: string;
  readonly Key: Item;
}

/**
 * Rewrites a compact row in the form of 0.2.0, before a change that needs it: the index of what waits holds
 * text attributes, and a body is deflated with what its row says about it. The row says the same afterwards,
 * so a crash between the two writes does no harm. Without effect on any other row.
 */
export async function toPlainRow(client: DynamoDBClient, { tableName, Key }: RowToChange): Promise<void> {
  const get = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
  const { Item } = await client.send(get);
  if (Item === undefined || !isCompact(Item)) return;
  try {
    await client.send(new UpdateItemCommand({ TableName: tableName, Key, ...plainExpression(Item) }));
  } catch (error) {
    if (conditionFailure(error) === undefined) throw error;
    // The row was rewritten, or its body erased, since it was read.
    await toPlainRow(client, { tableName, Key });
  }
}

function plainExpression(item: Item) {
  const plain = Object.entries(toPlainItem(fromEventItem(item)));
  const set = plain.filter(([name]) => item[name] === undefined);
  const removed = Object.values(compactAttributes);
  const { body, bodySha256 } = compactAttributes;
  const hasBody = item[body] !== undefined;
  return {
    UpdateExpression:
      `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')} ` +
      `REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    // An erased body must not come back.
    ConditionExpression: `attribute_exists(#${bodySha256}) AND ${
      hasBody ? 'attribute_exists' : 'attribute_not_exists'
    }(#${body})`,
    ExpressionAttributeNames: Object.fromEntries(
      [...set.map(([name]) => name), ...removed].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
  };
}
