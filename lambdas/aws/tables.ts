import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DeliveryStore, RepairStore } from '../ports/stores.ts';
import { createActTable } from './act-table.ts';
import { createChangeIndex } from './change-index.ts';
import { createCommit, type TableNames } from './commit.ts';
import { createDeliveryTable } from './delivery-table.ts';
import { createEventRows } from './event-rows.ts';
import { createEventScan } from './event-scan.ts';
import { createKeyUseTable } from './key-use-table.ts';
import { createOrderTable, type OrderTableSettings } from './order-table.ts';
import { createTransactionTable } from './transaction-table.ts';
import { createWaitingIndex } from './waiting-index.ts';

/** What a first delivery and a repair read and write. */
const createStore = (
  client: DynamoDBClient,
  tables: TableNames,
  settings?: OrderTableSettings,
): DeliveryStore & RepairStore => ({
  ...createEventRows(client, tables.events),
  ...createTransactionTable(client, tables.events),
  ...createOrderTable(client, tables.orders, settings),
  ...createDeliveryTable(client, tables.events),
  commit: createCommit(client, tables, settings),
});

/** The ports of both tables to which the consumer writes. It shows no sequence, so it needs no base. */
export const createConsumerTables = (client: DynamoDBClient, tables: TableNames) => ({
  store: createStore(client, tables),
  keyUses: createKeyUseTable(client, tables.events),
});

/** What the order query reads. */
export const createQueryTables = (
  client: DynamoDBClient,
  { events, orders }: TableNames,
  settings?: OrderTableSettings,
) => ({
  changes: createChangeIndex(client, orders),
  orders: createOrderTable(client, orders, settings),
  events: createEventRows(client, events),
  transactions: createTransactionTable(client, events),
  waiting: createWaitingIndex(client, events),
  acts: createActTable(client, events),
});

/** The ports of both tables with which operators work. */
export function createOperatorTables(
  client: DynamoDBClient,
  tables: TableNames,
  settings?: OrderTableSettings,
) {
  const reads = createQueryTables(client, tables, settings);
  return {
    ...reads,
    store: createStore(client, tables, settings),
    eventScan: createEventScan(client, tables.events),
    orderScan: reads.orders,
    keyUses: createKeyUseTable(client, tables.events),
  };
}
