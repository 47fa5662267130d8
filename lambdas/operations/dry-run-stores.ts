import { transactionFactsMax, transactionOrdersMax } from '../contract/limits.ts';
import { transactionCorrectedFactsMax } from '../contract/operations-limits.ts';
import { asIn020, type RowFormat } from '../contract/row-format.ts';
import { orderKey, transactionKey } from '../contract/schema.ts';
import type { ReadingWriter, TransactionLeaver } from '../ports/readings.ts';
import {
  type EventReader,
  type EventWriter,
  type OrderReader,
  type OrderRef,
  type OrderWriter,
  PermanentStoreError,
} from '../ports/stores.ts';
import type {
  TransactionJoin,
  TransactionReader,
  TransactionRow,
  TransactionWriter,
} from '../ports/transactions.ts';
import { createDryRunEvents } from './dry-run-events.ts';
import { orderItemBytes, orderItemBytesMax } from './order-item-size.ts';
import { createOverlay } from './overlay.ts';

/** What an act reads and writes: the tables, or a dry run over them. */
export interface ActStores {
  readonly events: EventWriter & ReadingWriter & Pick<EventReader, 'find' | 'findBody'>;
  readonly transactions: TransactionWriter & TransactionReader & TransactionLeaver;
  readonly orders: OrderWriter & Pick<OrderReader, 'get'>;
  /** In which rows are written; a dry run predicts how large they become. */
  readonly rowFormat?: RowFormat;
}

/**
 * Stores that read from the tables and keep every write in memory, under the conditions that the tables put
 * on it. An act over them does what it would do over the tables, so a dry run cannot disagree with the run;
 * only whether a row is full may differ, when it has facts in another form than the one that is written.
 */
export const createDryRunStores = (tables: ActStores): ActStores => ({
  events: createDryRunEvents(tables.events),
  transactions: createDryRunTransactions(tables.transactions),
  orders: createDryRunOrders(tables),
});

function createDryRunTransactions(table: TransactionReader): ActStores['transactions'] {
  const rows = createOverlay({
    keyOf: ({ mode, transactionId }: Pick<TransactionJoin, 'mode' | 'transactionId'>) =>
      transactionKey(mode, transactionId),
    read: ({ mode, transactionId }) => table.get(mode, transactionId),
  });
  return {
    get: (mode, transactionId) => rows.get({ mode, transactionId }),
    async join(join) {
      return (await rows.update(join, (row) => joined(row, join))).after;
    },
    async leave(left) {
      const { after } = await rows.update(left, (row) => ({
        ...row,
        orderIds: row.orderIds.filter((id) => id !== left.orderId),
      }));
      return after;
    },
  };
}

function joined(row: TransactionRow, { add }: TransactionJoin): TransactionRow {
  if ('orderId' in add) {
    const max = add.unlessOthers ? 1 : transactionOrdersMax;
    return { ...row, orderIds: withMember(row.orderIds, add.orderId, max) };
  }
  if ('fact' in add) return { ...row, facts: withMember(row.facts, add.fact, transactionFactsMax) };
  return { ...row, facts: withMember(row.facts, add.correction, transactionCorrectedFactsMax) };
}

const withMember = (set: readonly string[], member: string, max: number): readonly string[] =>
  set.includes(member) || set.length >= max ? set : [...set, member];

function createDryRunOrders({ orders: table, rowFormat = asIn020 }: ActStores): ActStores['orders'] {
  const rows = createOverlay({
    keyOf: ({ mode, id }: OrderRef) => orderKey(mode, id),
    read: (order) => table.get(order),
  });
  return {
    get: (order) => rows.get(order),
    async merge({ order, facts, now, releasesHeadroom = false }) {
      const { before, after } = await rows.update(order, (row) => {
        const known = new Set(row?.facts);
        if (facts.every((fact) => known.has(fact))) return undefined;
        const union = [...new Set([...known, ...facts])];
        const merged = { order, facts: union, updatedAt: now().toISOString() };
        const bytes = orderItemBytes(merged, { headroom: !releasesHeadroom, ...rowFormat });
        if (bytes <= orderItemBytesMax) return merged;
        throw new PermanentStoreError(
          `The row of the order would be larger than ${orderItemBytesMax} bytes.`,
        );
      });
      return { facts: after?.facts ?? [], changed: after !== before };
    },
  };
}
