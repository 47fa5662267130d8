import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { asIn020, type RowFormat } from '../contract/row-format.ts';
import { createEventTable } from './event-table.ts';
import { createKeyUseTable } from './key-use-table.ts';
import { createOrderTable } from './order-table.ts';
import type { TableNames } from './query-tables.ts';
import { createTransactionTable } from './transaction-table.ts';

/** The ports of both tables to which the consumer writes. */
export const createConsumerTables = (
  client: DynamoDBClient,
  { events, orders }: TableNames,
  format: RowFormat = asIn020,
) => ({
  events: createEventTable(client, events, format),
  transactions: createTransactionTable(client, events, format),
  orders: createOrderTable(client, orders, format),
  keyUses: createKeyUseTable(client, events),
});
