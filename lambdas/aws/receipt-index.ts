import { type Change, changeOf } from '../contract/change-position.ts';
import { eventAttributes as names, receiptsIndexName } from '../contract/schema.ts';
import type { ReceiptReader, ReceiptRow } from '../ports/receipt-reader.ts';
import { unknownTime } from '../ports/rows.ts';
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
  // No key of this index, so that a damaged row may lack it.
  const recordedAt = { S: item[names.recordedAt]?.S ?? unknownTime };
  const row = toWaitingRow({ ...item, [names.recordedAt]: recordedAt });
  return { ...change, row: defined<ReceiptRow>({ ...row, receivedAt, tie: change.tie, waiting }) };
}
