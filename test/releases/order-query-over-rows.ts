import { BatchWriteItemCommand, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { createChangeIndex } from '../../lambdas/aws/change-index.ts';
import { createEventTable } from '../../lambdas/aws/event-table.ts';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { createConsumer } from '../../lambdas/consumer/consumer.ts';
import { createOrderFeed } from '../../lambdas/order-feed/order-feed.ts';
import type { FeedEntry } from '../../lambdas/order-feed/order-status-changed.ts';
import { createOrderQuery } from '../../lambdas/order-query/order-query.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { startTables } from '../doubles/local-tables.ts';
import { type SentBody, sqsEvent } from '../doubles/sqs-event.ts';
import { streamEvent } from '../doubles/stream-event.ts';
import { recordTelemetry } from '../doubles/telemetry.ts';
import { type KeptRelease, type StoredItem, toItem, toStored } from './kept-release.ts';

const atOnceMax = 25;

/** Today's consumer, order query and order feed over tables that hold the rows of a release, and no others. */
export async function openRows({ rows, answers }: KeptRelease) {
  const { client, close } = await startTables();
  for (const [table, items] of Object.entries(rows) as [string, readonly StoredItem[]][]) {
    for (let start = 0; start < items.length; start += atOnceMax) {
      const requests = items
        .slice(start, start + atOnceMax)
        .map((item) => ({ PutRequest: { Item: toItem(item) } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    }
  }
  const events = createEventTable(client, 'events');
  const orders = createOrderTable(client, 'orders');
  const telemetry = recordTelemetry();
  const changes = createChangeIndex(client, 'orders');
  // Cursors know when they were made, and go back when they are used late.
  const now = (): number => Date.parse(answers.asked_at);
  const query = createOrderQuery({ changes, orders, events, now, telemetry });
  const clock = (): Date => new Date('2027-01-01T00:00:00.000Z');
  const consumer = createConsumer({ events, orders, eventRetentionDays: undefined, now: clock, telemetry });

  const row = async (key: string): Promise<StoredItem | undefined> => {
    const read = new GetItemCommand({ TableName: 'orders', Key: { order_key: { S: key } } });
    const { Item } = await client.send(read);
    return Item && toStored(Item);
  };
  return {
    close,
    telemetry,
    row,
    consume: (...sent: SentBody[]) => consumer(sqsEvent(...sent)),
    async get(path: string) {
      const answer = await query(requestOf(path));
      return { status: answer.statusCode, body: JSON.parse(answer.body ?? '') as Record<string, unknown> };
    },
    async countRows(): Promise<number> {
      const scan = (TableName: string) => client.send(new ScanCommand({ TableName, Select: 'COUNT' }));
      const counts = await Promise.all(['events', 'orders'].map(scan));
      return counts.reduce((sum, { Count = 0 }) => sum + Count, 0);
    },
  };
}

/** What the order feed tells the bus about a write that found `before` and left `after`. */
export async function publishedOf(before: StoredItem, after: StoredItem): Promise<FeedEntry[]> {
  const published: FeedEntry[] = [];
  const handle = createOrderFeed({
    bus: {
      async put(entries) {
        published.push(...entries);
        return entries.map(() => undefined);
      },
    },
    pause: async () => {},
    telemetry: recordTelemetry(),
  });
  const facts = (item: StoredItem): string[] => [...(item['facts']?.SS ?? [])];
  const orderId = String(after['order_id']?.S);
  await handle(streamEvent({ orderId, before: facts(before), after: facts(after) }));
  return published;
}

/** The event that API Gateway makes of a path. */
function requestOf(path: string) {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const [, collection = '', id, rest] = pathname.split('/');
  const name = collection === 'orders' ? 'order_id' : 'event_id';
  const route = [
    collection,
    ...(id === undefined ? [] : [`{${name}}`]),
    ...(rest === undefined ? [] : [rest]),
  ];
  return gatewayEvent({
    routeKey: `GET /${route.join('/')}`,
    ...(id !== undefined && { pathParameters: { [name]: decodeURIComponent(id) } }),
    ...(searchParams.size > 0 && { queryStringParameters: Object.fromEntries(searchParams) }),
  });
}
