import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createEventTable } from '../../lambdas/aws/event-table.ts';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { createReadingTable } from '../../lambdas/aws/reading-table.ts';
import { createTransactionTable } from '../../lambdas/aws/transaction-table.ts';
import { eventKey, orderKey, transactionKey } from '../../lambdas/contract/schema.ts';
import type { ActStores } from '../../lambdas/operations/dry-run-stores.ts';
import type { EventScan, OrderScan } from '../../lambdas/ports/scans.ts';
import type { EventReader } from '../../lambdas/ports/stores.ts';
import type { memoryStores } from './memory-stores.ts';

type MemoryStores = Pick<
  ReturnType<typeof memoryStores>,
  'writer' | 'reader' | 'transactions' | 'events' | 'orders'
>;

/** What an act works on, in memory. */
export const memoryActStores = ({
  writer,
  reader,
  transactions,
  events,
}: MemoryStores): ActStores & { events: Pick<EventReader, 'summaries'> } => ({
  events: {
    ...writer,
    find: reader.find,
    findBody: reader.findBody,
    summaries: reader.summaries,
    async reread({ from, ...reading }) {
      const at = `${reading.key} ${reading.record ?? 'event'}`;
      const row = events.get(at);
      if (row?.bodySha256 !== reading.bodySha256 || row.outcome !== from) return;
      const { eventName, orderId, transactionId, assignedOrderId, fact, outcome, waiting, ...kept } = row;
      events.set(at, { ...kept, ...reading });
    },
  },
  transactions: {
    join: writer.join,
    get: reader.transactions.get,
    async leave({ mode, transactionId, orderId }) {
      transactions.get(transactionKey(mode, transactionId))?.orderIds.delete(orderId);
      return reader.transactions.get(mode, transactionId);
    },
  },
  orders: { merge: writer.merge, get: reader.get },
});

/** Scans of stores in memory, in pages of `rows` rows. */
export function memoryScans({ events, orders }: Pick<MemoryStores, 'events' | 'orders'>, rows = 2) {
  const pageOf = <Row>(sorted: readonly Row[], isAfter: (row: Row) => boolean) => {
    const left = sorted.filter(isAfter);
    return { page: left.slice(0, rows), isLast: left.length <= rows };
  };
  const eventScan: EventScan = {
    async page({ mode, since = '', until = '9', after }) {
      const at = (place: { key: string; record: string }) => `${place.key} ${place.record}`;
      const sorted = [...events.values()].toSorted((a, b) => (at(a) < at(b) ? -1 : 1));
      const { page, isLast } = pageOf(sorted, (row) => after === undefined || at(row) > at(after));
      const matching = page.filter(
        ({ key, record, recordedAt }) =>
          key.startsWith(eventKey(mode, '')) &&
          /^(event$|variant:|conflict:)/.test(record) &&
          recordedAt >= since &&
          recordedAt <= until,
      );
      const last = page.at(-1);
      return {
        events: matching.map(({ key, record, eventId = '' }) => ({ eventId, position: { key, record } })),
        next: isLast || last === undefined ? undefined : { key: last.key, record: last.record },
      };
    },
  };
  const orderScan: OrderScan = {
    async page({ mode, after = '' }) {
      const sorted = [...orders.keys()].filter((key) => key.startsWith(orderKey(mode, ''))).sort();
      const { page, isLast } = pageOf(sorted, (key) => key > after);
      const found = page.map((key) => orders.get(key)).filter((row) => row !== undefined);
      return {
        orders: found.map(({ order, facts, updatedAt }) => ({ order, facts: [...facts], updatedAt })),
        next: isLast ? undefined : page.at(-1),
      };
    },
  };
  return { eventScan, orderScan };
}

/** What an act works on, in the tables of `startTables`. */
export const tableActStores = (
  client: DynamoDBClient,
): ActStores & { events: Pick<EventReader, 'summaries'> } => ({
  events: { ...createEventTable(client, 'events'), ...createReadingTable(client, 'events') },
  transactions: createTransactionTable(client, 'events'),
  orders: createOrderTable(client, 'orders'),
});
