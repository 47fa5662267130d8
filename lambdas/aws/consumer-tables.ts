import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { KeyUseWriter } from '../ports/key-uses.ts';
import type { DeliveryStore, RepairStore } from '../ports/stores.ts';
import { createCommit } from './commit.ts';
import { createDeliveryTable } from './delivery-table.ts';
import { createEventRows } from './event-rows.ts';
import type { TableNames } from './items.ts';
import { createKeyUseTable } from './key-use-table.ts';
import { createOrderTable, type OrderTableSettings } from './order-table.ts';
import { createTransactionTable } from './transaction-table.ts';

/** What a first delivery and a repair read and write. */
export function createStore(
  client: DynamoDBClient,
  tables: TableNames,
  settings: OrderTableSettings = {},
): DeliveryStore & RepairStore {
  return {
    ...createEventRows(client, tables.events),
    ...createTransactionTable(client, tables.events),
    ...createOrderTable(client, tables.orders, settings),
    ...createDeliveryTable(client, tables.events),
    commit: createCommit(client, tables, settings),
  };
}

/** The ports of both tables to which the consumer writes. It shows no sequence, so it needs no base. */
export const createConsumerTables = (
  client: DynamoDBClient,
  tables: TableNames,
): { readonly store: DeliveryStore & RepairStore; readonly keyUses: KeyUseWriter } => ({
  store: createStore(client, tables),
  keyUses: createKeyUseTable(client, tables.events),
});
