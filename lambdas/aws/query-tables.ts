import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createActTable } from './act-table.ts';
import { createChangeIndex } from './change-index.ts';
import { createEventRows } from './event-rows.ts';
import type { TableNames } from './items.ts';
import { createOrderTable, type OrderTableSettings } from './order-table.ts';
import { createTransactionTable } from './transaction-table.ts';
import { createWaitingIndex } from './waiting-index.ts';

/** What the order query reads. */
export const createQueryTables = (
  client: DynamoDBClient,
  { events, orders }: TableNames,
  settings: OrderTableSettings = {},
) => ({
  changes: createChangeIndex(client, orders),
  orders: createOrderTable(client, orders, settings),
  events: createEventRows(client, events),
  transactions: createTransactionTable(client, events),
  waiting: createWaitingIndex(client, events),
  acts: createActTable(client, events),
});
