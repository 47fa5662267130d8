import { orderKey } from '../contract/schema.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { OrderReader } from '../ports/stores.ts';
import type { OrderWrite } from './order-change.ts';
import type { RecordedWrite } from './stream-record.ts';

export type CurrentRow = (write: RecordedWrite) => OrderRow | undefined;

const keyOf = ({ order: { mode, id } }: RecordedWrite): string => orderKey(mode, id);

/**
 * Reads the rows of these writes, at half the price of a consistent read; only a row that is older than its
 * write is read again. So a row that is still older, or missing, never had the write.
 */
export async function readCurrentRows(
  orders: Pick<OrderReader, 'getAll'>,
  writes: readonly RecordedWrite[],
): Promise<CurrentRow> {
  const rows = await orders.getAll(writes.map(keyOf), { consistent: false });
  const ahead = writes.filter((write) => write.sequence > (rows.get(keyOf(write))?.sequence ?? 0));
  const again = await orders.getAll(ahead.map(keyOf));
  return (write) => again.get(keyOf(write)) ?? rows.get(keyOf(write));
}

/**
 * The change from before the write to the order's row, so that everything that is published as current is
 * what the row says; `undefined` when the row never had the write: its record is made up.
 */
export function changeUntilNow(write: RecordedWrite, row: OrderRow | undefined): OrderWrite | undefined {
  if (row === undefined || row.sequence < write.sequence) return undefined;
  if (row.sequence === write.sequence && !isSameSet(row.facts, write.after)) return undefined;
  const { order, facts: after, sequence, updatedAt, published } = row;
  const isPublishedAgain = published !== undefined && published !== write.publishedBefore;
  return { order, before: write.before, after, sequence, updatedAt, isPublishedAgain };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const known = new Set(one);
  return one.length === other.length && other.every((text) => known.has(text));
}
