import { type Change, changeOf } from '../contract/change-position.ts';
import { eventAttributes as names, receiptsIndexName } from '../contract/schema.ts';
import type { ReceiptReader, ReceiptRow } from '../ports/receipt-reader.ts';
import { waitingKindOf } from './event-item.ts';
import { defined, type Item, placeOf, requiredText } from './items.ts';
import { createShardWalk } from './shard-walk.ts';
import type { Table } from './table.ts';
import { toWaitingRow } from './waiting-index.ts';

interface Entry extends Change {
  readonly row: ReceiptRow;
}

/** Implements the port of the index of what was received. */
export function createReceiptIndex(table: Table): ReceiptReader {
  const index = { name: receiptsIndexName, shard: names.receiptShard, time: names.receivedAt, read };
  const walk = createShardWalk<Entry>(table, index, 'newest first');
  return {
    async before({ position: { receivedAt, tie }, ...selection }) {
      const { found, more } = await walk({ ...selection, position: { updatedAt: receivedAt, tie } });
      return { rows: found.map(({ row }) => row), more };
    },
  };
}

function read(item: Item): Entry {
  const { key, record } = placeOf(item);
  const receivedAt = requiredText(item, names.receivedAt);
  const change = changeOf(receivedAt, JSON.stringify([key, record]));
  const waiting = waitingKindOf(item);
  return {
    ...change,
    row: defined<ReceiptRow>({ ...toWaitingRow(item), receivedAt, tie: change.tie, waiting }),
  };
}
