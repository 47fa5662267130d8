import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { asIn020, type RowFormat } from '../contract/row-format.ts';
import { createActTable } from './act-table.ts';
import { createEventScan } from './event-scan.ts';
import { createEventTable } from './event-table.ts';
import { createJudgementTable } from './judgement-table.ts';
import { createKeyUseReader } from './key-use-reader.ts';
import { createOrderScan } from './order-scan.ts';
import { createOrderTable } from './order-table.ts';
import { createReadingTable } from './reading-table.ts';
import { createTransactionTable } from './transaction-table.ts';
import { createWaitingIndex } from './waiting-index.ts';

export interface TableNames {
  readonly events: string;
  readonly orders: string;
}

/** The ports of both tables with which operators work. */
export const createOperatorTables = (
  client: DynamoDBClient,
  { events, orders }: TableNames,
  format: RowFormat = asIn020,
) => ({
  events: { ...createEventTable(client, events, format), ...createReadingTable(client, events) },
  eventScan: createEventScan(client, events),
  transactions: createTransactionTable(client, events, format),
  acts: createActTable(client, events),
  judgements: createJudgementTable(client, events),
  keyUses: createKeyUseReader(client, events),
  waiting: createWaitingIndex(client, events),
  orders: createOrderTable(client, orders, format),
  orderScan: createOrderScan(client, orders),
});
