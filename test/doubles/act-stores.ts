import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createEventTable } from '../../lambdas/aws/event-table.ts';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { createTransactionTable } from '../../lambdas/aws/transaction-table.ts';
import type { ActStores } from '../../lambdas/operations/dry-run-stores.ts';
import type { memoryStores } from './memory-stores.ts';

type MemoryStores = Pick<ReturnType<typeof memoryStores>, 'writer' | 'reader'>;

/** What an act works on, in memory. */
export const memoryActStores = ({ writer, reader }: MemoryStores): ActStores => ({
  events: { ...writer, find: reader.find },
  transactions: { join: writer.join, get: reader.transactions.get },
  orders: { merge: writer.merge, get: reader.get },
});

/** What an act works on, in the tables of `startTables`. */
export const tableActStores = (client: DynamoDBClient): ActStores => ({
  events: createEventTable(client, 'events'),
  transactions: createTransactionTable(client, 'events'),
  orders: createOrderTable(client, 'orders'),
});
