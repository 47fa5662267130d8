import { DeleteItemCommand, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import { createEventTable } from '../../lambdas/aws/event-table.ts';
import { createKeyUseTable } from '../../lambdas/aws/key-use-table.ts';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { createQueryTables } from '../../lambdas/aws/query-tables.ts';
import { createTransactionTable } from '../../lambdas/aws/transaction-table.ts';
import { createConsumer } from '../../lambdas/consumer/consumer.ts';
import { createOrderQuery } from '../../lambdas/order-query/order-query.ts';
import type { Row } from '../acceptance/pipeline.ts';
import { meaningOf } from '../doubles/fold.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { startTables } from '../doubles/local-tables.ts';
import { type SentBody, sqsEvent, sqsRecord } from '../doubles/sqs-event.ts';
import { recordTelemetry } from '../doubles/telemetry.ts';
import {
  putRows,
  respondedAt,
  type StoredItem,
  storedEvents,
  storedMessages,
  storedOrders,
} from './release-0.2.0.ts';

interface RowsOptions {
  readonly moreOrders?: readonly StoredItem[];
  readonly eventRetentionDays?: number;
  /** Receives what closes the tables, in place of the end of the test. */
  readonly closeAfter?: (close: () => Promise<void>) => void;
}

/** The two keys of a row of `events` as one text. */
export const keyOf = (item: StoredItem | Row): string => `${item['event_key']?.S} ${item['record']?.S}`;

/** Today's consumer and order query over tables that hold the rows of 0.2.0, and more orders if there are any. */
export async function openRows(options: RowsOptions = {}) {
  const { moreOrders = [], eventRetentionDays, closeAfter = onTestFinished } = options;
  const { client, close } = await startTables();
  closeAfter(close);
  await putRows(client, { events: storedEvents, orders: [...storedOrders, ...moreOrders] });
  const events = createEventTable(client, 'events');
  const orders = createOrderTable(client, 'orders');
  const transactions = createTransactionTable(client, 'events');
  const telemetry = recordTelemetry();
  // A cursor starts again from an earlier position when it is used long after it was made.
  const query = createOrderQuery({
    ...createQueryTables(client, { events: 'events', orders: 'orders' }),
    changesSettleSeconds: 30,
    now: () => Date.parse(respondedAt),
    meaningOf,
    telemetry,
  });
  const now = (): Date => new Date('2027-01-01T00:00:00.000Z');
  const consumer = createConsumer({
    events,
    transactions,
    orders,
    keyUses: createKeyUseTable(client, 'events'),
    eventRetentionDays,
    now,
    meaningOf,
    postpone: async () => {},
    telemetry,
  });
  return {
    consume: (...sent: SentBody[]) => consumer(sqsEvent(...sent)),
    consumeStored: () => consumer({ Records: storedMessages.map(sqsRecordOf) }),
    async get(path: string) {
      const response = await query(requestOf(path));
      return {
        status: response.statusCode,
        body: JSON.parse(response.body ?? '') as Record<string, unknown>,
      };
    },
    async order(key: string) {
      const read = new GetItemCommand({ TableName: 'orders', Key: { order_key: { S: key } } });
      return (await client.send(read)).Item;
    },
    /** Every row of `events`, by its two keys. */
    async events(): Promise<ReadonlyMap<string, Row>> {
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 'events' }));
      return new Map(Items.map((item) => [keyOf(item), item]));
    },
    /** What the time to live does. */
    async expire(key: string) {
      const Key = { event_key: { S: key }, record: { S: 'event' } };
      await client.send(new DeleteItemCommand({ TableName: 'events', Key }));
    },
  };
}

/** The record that Lambda makes of a stored message. */
function sqsRecordOf({ MessageBody, MessageAttributes }: (typeof storedMessages)[number]): SQSRecord {
  const attributes = Object.entries(MessageAttributes).map(
    ([name, { StringValue, DataType }]) => [name, { stringValue: StringValue, dataType: DataType }] as const,
  );
  const record = sqsRecord({ body: new Uint8Array(0) });
  return { ...record, body: MessageBody, messageAttributes: Object.fromEntries(attributes) };
}

/** The event that API Gateway makes of a path such as `/orders/paid/events?mode=sandbox`. */
function requestOf(path: string) {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const [, collection = '', id, rest] = pathname.split('/');
  const name = collection === 'orders' ? 'order_id' : 'event_id';
  const route = [collection, id && `{${name}}`, rest].filter((part) => part !== undefined);
  return gatewayEvent({
    routeKey: `GET /${route.join('/')}`,
    ...(id !== undefined && { pathParameters: { [name]: decodeURIComponent(id) } }),
    ...(searchParams.size > 0 && { queryStringParameters: Object.fromEntries(searchParams) }),
  });
}
