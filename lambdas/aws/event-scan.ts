import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { scanPageRows } from '../contract/operations-limits.ts';
import { compactAttributes, eventAttributes, eventKey, eventRecord } from '../contract/schema.ts';
import type { EventScan, EventScanRequest } from '../ports/scans.ts';
import { timeOrText } from './attribute-values.ts';
import { idsOf } from './compact-item.ts';
import { requiredText, text } from './dynamodb.ts';

/** Implements the scan of the table `events`. It reads every row, and returns those of events. */
export function createEventScan(client: DynamoDBClient, tableName: string): EventScan {
  return {
    async page({ after, ...request }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({
          TableName: tableName,
          Limit: scanPageRows,
          ProjectionExpression: '#key, #record',
          ...filterOf(request),
          ...(after && {
            ExclusiveStartKey: {
              [eventAttributes.key]: text(after.key),
              [eventAttributes.record]: text(after.record),
            },
          }),
        }),
      );
      const positionOf = (item: Record<string, AttributeValue>) => ({
        key: requiredText(item, eventAttributes.key),
        record: requiredText(item, eventAttributes.record),
      });
      return {
        events: Items.map((item) => ({
          eventId: idsOf(item).eventId,
          position: positionOf(item),
        })),
        next: LastEvaluatedKey && positionOf(LastEvaluatedKey),
      };
    },
  };
}

/** Rows of events and of other bodies under their ids. */
function filterOf({ mode, since, until }: Omit<EventScanRequest, 'after'>) {
  const conditions = [
    'begins_with(#key, :prefix)',
    '(#record = :event OR begins_with(#record, :variant) OR begins_with(#record, :conflict))',
    ...(since === undefined ? [] : ['(#recordedAt >= :since OR #recorded >= :sinceNumber)']),
    ...(until === undefined ? [] : ['(#recordedAt <= :until OR #recorded <= :untilNumber)']),
  ];
  return {
    FilterExpression: conditions.join(' AND '),
    ExpressionAttributeNames: {
      '#key': eventAttributes.key,
      '#record': eventAttributes.record,
      ...(since === undefined && until === undefined
        ? {}
        : { '#recordedAt': eventAttributes.recordedAt, '#recorded': compactAttributes.recordedAt }),
    },
    ExpressionAttributeValues: {
      ':prefix': text(eventKey(mode, '')),
      ':event': text(eventRecord.event),
      ':variant': text(eventRecord.variant('')),
      ':conflict': text(eventRecord.conflict('')),
      ...(since === undefined ? {} : { ':since': text(since), ':sinceNumber': timeOrText(since) }),
      ...(until === undefined ? {} : { ':until': text(until), ':untilNumber': timeOrText(until) }),
    },
  };
}
