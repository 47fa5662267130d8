import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createActTable } from './act-table.ts';
import { createStore } from './consumer-tables.ts';
import { createEventRows } from './event-rows.ts';
import { createEventScan } from './event-scan.ts';
import type { TableNames } from './items.ts';
import { createKeyUseTable } from './key-use-table.ts';
import { createOrderScan } from './order-scan.ts';
import { createOrderTable, type OrderTableSettings } from './order-table.ts';
import { createTransactionTable } from './transaction-table.ts';
import { createWaitingIndex } from './waiting-index.ts';

/** The ports of both tables with which operators work. */
export const createOperatorTables = (
  client: DynamoDBClient,
  tables: TableNames,
  settings: OrderTableSettings = {},
) => ({
  store: createStore(client, tables, settings),
  events: createEventRows(client, tables.events),
  eventScan: createEventScan(client, tables.events),
  transactions: createTransactionTable(client, tables.events),
  acts: createActTable(client, tables.events),
  keyUses: createKeyUseTable(client, tables.events),
  waiting: createWaitingIndex(client, tables.events),
  orders: createOrderTable(client, tables.orders, settings),
  orderScan: createOrderScan(client, tables.orders, settings),
});
