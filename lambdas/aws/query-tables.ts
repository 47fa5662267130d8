import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createChangeIndex } from './change-index.ts';
import { createEventTable } from './event-table.ts';
import { createOrderTable } from './order-table.ts';
import { createOrderWaiting } from './order-waiting.ts';
import { createTransactionTable } from './transaction-table.ts';

export interface TableNames {
  readonly events: string;
  readonly orders: string;
}

/** What the order query reads. */
export const createQueryTables = (client: DynamoDBClient, { events, orders }: TableNames) => ({
  changes: createChangeIndex(client, orders),
  orders: createOrderTable(client, orders),
  events: createEventTable(client, events),
  transactions: createTransactionTable(client, events),
  waiting: createOrderWaiting(client, events),
});
