import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { waitingPagesMax } from '../contract/limits.ts';
import { eventAttributes, type WaitingKind, waitingIndexName, waitingPartition } from '../contract/schema.ts';
import type { OrderWaiting, OrderWaitingReader, WaitingEvent } from '../ports/order-waiting.ts';
import type { EventRow, OrderRef } from '../ports/stores.ts';
import { type Item, requiredText, text } from './dynamodb.ts';

/**
 * The kinds whose rows may name an order. An `unassigned` event and an `unrecognised` body name none; the
 * first event of a name without a meaning is in its order.
 */
const kindsWithOrder = ['quarantined', 'order_refused', 'conflict'] as const satisfies WaitingKind[];

/** Implements the port over the index `waiting`, of which it reads a bounded number of pages. */
export function createOrderWaiting(client: DynamoDBClient, tableName: string): OrderWaitingReader {
  async function ofKind(order: OrderRef, kind: WaitingKind): Promise<OrderWaiting> {
    const events: WaitingEvent[] = [];
    let from: Item | undefined;
    for (let page = 0; page < waitingPagesMax; page += 1) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: waitingIndexName,
          KeyConditionExpression: `${eventAttributes.waiting} = :partition`,
          FilterExpression: 'order_id = :order OR assigned_order_id = :order',
          ExpressionAttributeValues: {
            ':partition': text(waitingPartition(order.mode, kind)),
            ':order': text(order.id),
          },
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      events.push(...Items.map((item) => toWaitingEvent(item, kind)));
      if (LastEvaluatedKey === undefined) return { events, isComplete: true };
      from = LastEvaluatedKey;
    }
    return { events, isComplete: false };
  }

  return {
    async waitingFor(order) {
      const found = await Promise.all(kindsWithOrder.map((kind) => ofKind(order, kind)));
      return {
        events: found.flatMap(({ events }) => events).toSorted(byArrival),
        isComplete: found.every(({ isComplete }) => isComplete),
      };
    },
  };
}

function toWaitingEvent(item: Item, kind: WaitingKind): WaitingEvent {
  const reason = item['reason']?.S as EventRow['reason'];
  return {
    kind,
    eventId: requiredText(item, 'event_id'),
    eventName: requiredText(item, 'event_name'),
    outcome: requiredText(item, 'outcome') as EventRow['outcome'],
    ...(reason === undefined ? {} : { reason }),
    receivedAt: requiredText(item, 'received_at'),
    bodySha256: requiredText(item, 'body_sha256'),
  };
}

function byArrival(a: WaitingEvent, b: WaitingEvent): number {
  if (a.receivedAt !== b.receivedAt) return a.receivedAt < b.receivedAt ? -1 : 1;
  return a.bodySha256 < b.bodySha256 ? -1 : 1;
}
