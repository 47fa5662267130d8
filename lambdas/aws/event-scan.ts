import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { scanPageRows } from '../contract/operations-limits.ts';
import { eventKey, eventOfKey, eventRecord, eventAttributes as names } from '../contract/schema.ts';
import type { EventScan } from '../ports/scans.ts';
import { type Item, itemKeyOf, requiredText } from './items.ts';
import { scanPage } from './table.ts';

/** Implements the scan of the table `events`. It reads every row, and returns those of events. */
export function createEventScan(client: DynamoDBClient, tableName: string): EventScan {
  const table = { client, name: tableName };
  return {
    async page({ mode, since, until, after }) {
      const text = [
        ...[`begins_with(#${names.key}, :prefix)`, isOfBody],
        ...(since === undefined ? [] : [`#${names.recordedAt} >= :since`]),
        ...(until === undefined ? [] : [`#${names.recordedAt} <= :until`]),
      ].join(' AND ');
      const records = { ':event': eventRecord.event, ':conflict': eventRecord.conflict('') };
      const values = { ':prefix': eventKey(mode, ''), ...records, ':since': since, ':until': until };
      const { items, last } = await scanPage(table, {
        filter: { text, values },
        projection: [names.key, names.record],
        Limit: scanPageRows,
        ExclusiveStartKey: after && itemKeyOf(after.key, after.record),
      });
      const positions = items.map(positionOf);
      return {
        events: positions.map((position) => ({ eventId: eventOfKey(position.key)?.id ?? '', position })),
        next: last && positionOf(last),
      };
    },
  };
}

/** Rows of events and of other bodies under their ids. */
const isOfBody = `(#${names.record} = :event OR begins_with(#${names.record}, :conflict))`;

const positionOf = (item: Item) => ({
  key: requiredText(item, names.key),
  record: requiredText(item, names.record),
});
