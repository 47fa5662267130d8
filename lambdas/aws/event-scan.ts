import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { scanPageRows } from '../contract/operations-limits.ts';
import { eventKey, eventOfKey, eventRecord, eventAttributes as names } from '../contract/schema.ts';
import type { EventScan, EventScanRequest } from '../ports/scans.ts';
import { placeholders } from './expressions.ts';
import { type Item, keyOf, requiredText, toItem } from './items.ts';

/** Implements the scan of the table `events`. It reads every row, and returns those of events. */
export function createEventScan(client: DynamoDBClient, tableName: string): EventScan {
  return {
    async page({ after, ...request }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({
          TableName: tableName,
          Limit: scanPageRows,
          ...filterOf(request),
          ...(after && { ExclusiveStartKey: toItem(keyOf(after.key, after.record)) }),
        }),
      );
      const events = Items.map((item) => {
        const position = positionOf(item);
        return { eventId: eventOfKey(position.key)?.id ?? '', position };
      });
      return { events, next: LastEvaluatedKey && positionOf(LastEvaluatedKey) };
    },
  };
}

const positionOf = (item: Item) => ({
  key: requiredText(item, names.key),
  record: requiredText(item, names.record),
});

/** Rows of events and of other bodies under their ids. */
function filterOf({ mode, since, until }: Omit<EventScanRequest, 'after'>) {
  const FilterExpression = [
    `begins_with(#${names.key}, :prefix)`,
    `(#${names.record} = :event OR begins_with(#${names.record}, :conflict))`,
    ...(since === undefined ? [] : [`#${names.recordedAt} >= :since`]),
    ...(until === undefined ? [] : [`#${names.recordedAt} <= :until`]),
  ].join(' AND ');
  return {
    FilterExpression,
    ProjectionExpression: `#${names.key}, #${names.record}`,
    ...placeholders(FilterExpression, {
      ':prefix': eventKey(mode, ''),
      ':event': eventRecord.event,
      ':conflict': eventRecord.conflict(''),
      ':since': since,
      ':until': until,
    }),
  };
}
