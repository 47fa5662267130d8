import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createActTable } from './act-table.ts';
import { createChangeIndex } from './change-index.ts';
import { createEventTable } from './event-table.ts';
import { createOrderTable } from './order-table.ts';
import { createTransactionTable } from './transaction-table.ts';
import { createWaitingIndex } from './waiting-index.ts';

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
  waiting: createWaitingIndex(client, events),
  acts: createActTable(client, events),
});
