import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DeliveryStore, RepairStore } from '../ports/stores.ts';
import { createActTable } from './act-table.ts';
import { createCommit } from './commit.ts';
import { createDeliveryTable } from './delivery-table.ts';
import { createEventRows, createEventScan } from './event-rows.ts';
import { createKeyUseTable } from './key-use-table.ts';
import { createChangeIndex, createOrderTable } from './order-table.ts';
import { createProposalTable } from './proposal-table.ts';
import { createReceiptIndex } from './receipt-index.ts';
import { createTransactionTable } from './transaction-table.ts';
import { createWaitingIndex } from './waiting-index.ts';

/** What the deployment has called the two tables. */
interface TableNames {
  readonly events: string;
  readonly orders: string;
}

const tablesOf = (client: DynamoDBClient, { events, orders }: TableNames) => ({
  events: { client, name: events },
  orders: { client, name: orders },
});

/** What the order query reads. It has no more in its bundle: each byte makes cold starts slower. */
export function createReaders(client: DynamoDBClient, names: TableNames, sequenceBase?: number) {
  const { events, orders } = tablesOf(client, names);
  return {
    acts: createActTable(events),
    changes: createChangeIndex(orders),
    events: createEventRows(events),
    orders: createOrderTable(orders, sequenceBase),
    transactions: createTransactionTable(events),
    waiting: createWaitingIndex(events),
  };
}

/** The ports of both tables: those, and what a first delivery, a repair and an operator need. */
export function createTables(client: DynamoDBClient, names: TableNames, sequenceBase?: number) {
  const tables = tablesOf(client, names);
  const readers = createReaders(client, names, sequenceBase);
  const store: DeliveryStore & RepairStore = {
    ...{ ...readers.events, ...readers.transactions, ...readers.orders },
    ...createDeliveryTable(tables.events),
    sequenceBase,
    commit: createCommit(tables, sequenceBase),
  };
  const scans = { eventScan: createEventScan(tables.events), orderScan: readers.orders };
  return {
    ...{ ...readers, ...scans, store },
    ...{ keyUses: createKeyUseTable(tables.events), proposals: createProposalTable(tables.events) },
    receipts: createReceiptIndex(tables.events),
  };
}
