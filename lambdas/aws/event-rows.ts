import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { eventRecordsMax } from '../contract/operations-limits.ts';
import { eventAttributes, eventKey, eventRecord, unrecognisedKey } from '../contract/schema.ts';
import type { EventReader, EventRow } from '../ports/stores.ts';
import type { UnrecognisedReader } from '../ports/unrecognised-reader.ts';
import { type Item, requiredText, text } from './dynamodb.ts';
import { bodySha256Of, fromEventItem, hasBody } from './event-item.ts';
import { getItems } from './get-items.ts';

type EventRows = Pick<EventReader, 'find' | 'findBody'> & UnrecognisedReader;

/** Reads the rows under one event id, each with its body, which may be in a row of its own. */
export function createEventRows(client: DynamoDBClient, tableName: string): EventRows {
  const keyOf = (partition: string, record: string): Item => ({
    [eventAttributes.key]: text(partition),
    [eventAttributes.record]: text(record),
  });
  const read = (keys: readonly Item[]) => getItems(client, { tableName, keys, consistent: true });

  /** A page of 1 MB at most; with a limit, of the rows after those of bodies. */
  const query = (partition: string, afterBodies?: { limit: number; from: Item | undefined }) =>
    client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: afterBodies ? '#key = :key AND #record > :bodies' : '#key = :key',
        ExpressionAttributeNames: {
          '#key': eventAttributes.key,
          ...(afterBodies && { '#record': eventAttributes.record }),
        },
        ExpressionAttributeValues: {
          ':key': text(partition),
          ...(afterBodies && { ':bodies': text(lastBody) }),
        },
        ConsistentRead: true,
        Limit: afterBodies?.limit,
        ExclusiveStartKey: afterBodies?.from,
      }),
    );

  async function rowsIn(partition: string): Promise<EventRow[]> {
    const { Items = [], LastEvaluatedKey } = await query(partition);
    const isWhole = LastEvaluatedKey === undefined && Items.filter(isOfBody).length <= eventRecordsMax;
    return isWhole ? withBodies(Items) : firstRowsIn(partition);
  }

  /** The acts and the bodies sort before the other rows, and may be any number. */
  async function firstRowsIn(partition: string): Promise<EventRow[]> {
    const items: Item[] = [];
    let from: Item | undefined;
    do {
      const page = await query(partition, { limit: eventRecordsMax - items.length, from });
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } while (from !== undefined && items.length < eventRecordsMax);
    if (from !== undefined && !items.some(isOwn)) {
      items.splice(-1, 1, ...(await read([keyOf(partition, eventRecord.event)])));
    }
    const bodies = items
      .filter((item) => !hasBody(item))
      .map((item) => keyOf(partition, eventRecord.body(bodySha256Of(item))));
    return withBodies([...items, ...(await read(bodies))]);
  }

  return {
    find: (mode, eventId) => rowsIn(eventKey(mode, eventId)),

    async findBody(mode, eventId, bodySha256) {
      const { event, body, conflict, quarantine, variant } = eventRecord;
      const records = [event, ...[body, conflict, quarantine, variant].map((record) => record(bodySha256))];
      return withBodies(await read(records.map((record) => keyOf(eventKey(mode, eventId), record))));
    },

    async findUnrecognised(mode, bodySha256) {
      return (await rowsIn(unrecognisedKey(mode, bodySha256)))[0];
    },
  };
}

/** Sorts after the records of acts and bodies, and before all others. */
const lastBody = 'body;';

/** Whether it is neither an act nor only a body. */
const isOfBody = (item: Item): boolean => item['outcome'] !== undefined;

const isOwn = (item: Item): boolean => requiredText(item, eventAttributes.record) === eventRecord.event;

/** The rows that have a body, each with it. */
function withBodies(items: readonly Item[]): EventRow[] {
  const byRecord = new Map(items.map((item) => [requiredText(item, eventAttributes.record), item]));
  const bodyOf = (item: Item) => byRecord.get(eventRecord.body(bodySha256Of(item)));
  return items.filter(isOfBody).map((item) => fromEventItem(item, bodyOf(item)));
}
