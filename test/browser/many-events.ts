import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { bytesOf, failedEvent, paidEvent } from '@payhooks/payment-service/simulator';
import { toEventItem } from '../../lambdas/aws/event-item.ts';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { eventFact } from '../../lambdas/domain/fact.ts';
import type { EventRow } from '../../lambdas/ports/rows.ts';
import { eventRow } from '../doubles/event-rows.ts';
import { lookInto } from './local-console.ts';

const eventsOfOrder = 10;
const itemsOfBatch = 25;
const writersAtOnce = 8;

/**
 * Stores this many events by the writers of the product, without its queue and its consumer: ten of each order, one
 * after the other until now. The order feed is switched off, which would be busy with them for minutes.
 */
export async function storeManyEvents(baseUrl: string, count: number): Promise<void> {
  const { dynamodb, outputs, lambdaEndpoint, close } = await lookInto(baseUrl);
  await switchOffFeed(lambdaEndpoint);
  const since = Date.now() - count * 10;
  const orders = Array.from({ length: count / eventsOfOrder }, (_, number) =>
    Array.from({ length: eventsOfOrder }, (_, index) => rowOf(number, index, since)),
  );
  await putEvents(dynamodb, outputs['EventsTableName'] ?? '', orders.flat());
  const table = createOrderTable(dynamodb, outputs['OrdersTableName'] ?? '');
  await each(orders, async (rows) => {
    const { reading, recordedAt = '' } = rows.at(-1) ?? {};
    const facts = rows.flatMap((row) => (row.reading ? [eventFact(row.eventId ?? '', row.reading)] : []));
    const order = { mode: 'live', id: reading?.orderId ?? '' } as const;
    await table.merge({ order, facts, now: () => new Date(recordedAt) });
  });
  close();
}

/** All but the last payment of an order fail. */
function rowOf(order: number, index: number, since: number): EventRow {
  const number = order * eventsOfOrder + index;
  const meaning = index === eventsOfOrder - 1 ? 'paid' : 'failed';
  const names = { orderId: `order-${order}`, transactionId: `txn-${number}` };
  const eventId = `evt-${number}`;
  const create = meaning === 'paid' ? paidEvent : failedEvent;
  return eventRow(eventId, {
    reading: { ...names, meaning, eventName: `transaction.${meaning}` },
    body: bytesOf(create({ ...names, eventId, seed: 'many' })),
    receivedAt: new Date(since + number * 10).toISOString(),
    recordedAt: new Date(since + number * 10 + 5).toISOString(),
  });
}

async function putEvents(client: DynamoDBClient, table: string, rows: readonly EventRow[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(rows.length / itemsOfBatch) }, (_, index) =>
    rows.slice(index * itemsOfBatch, (index + 1) * itemsOfBatch),
  );
  await each(batches, async (batch) => {
    const requests = batch.map((row) => ({ PutRequest: { Item: toEventItem(row) } }));
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
    );
    if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('Some events were not stored.');
  });
}

/** A few at a time, each once. */
async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: writersAtOnce }, work));
}

/** The only mapping of a stream. */
async function switchOffFeed(lambdaEndpoint: string): Promise<void> {
  const path = `${lambdaEndpoint}/2015-03-31/event-source-mappings`;
  const { EventSourceMappings: mappings } = (await (await fetch(path)).json()) as Mappings;
  const feed = mappings.find(({ EventSourceArn }) => EventSourceArn.includes(':dynamodb:'));
  const body = JSON.stringify({ Enabled: false });
  const { status } = await fetch(`${path}/${feed?.UUID}`, { method: 'PUT', body });
  if (status !== 200) throw new Error(`The order feed cannot be switched off: ${status}.`);
}

interface Mappings {
  readonly EventSourceMappings: readonly { readonly UUID: string; readonly EventSourceArn: string }[];
}
