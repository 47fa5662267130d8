import { transactionEntriesMax } from '../contract/limits.ts';
import {
  eventRecord,
  eventAttributes as events,
  transactionAttributes as names,
  transactionKey,
} from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { TransactionRow } from '../ports/rows.ts';
import type { DeliveryStore, RepairStore, TransactionReader } from '../ports/stores.ts';
import { expiryOf, type Item, itemKeyOf, requiredText } from './items.ts';
import { getItem, getItems, type Table, updateItem } from './table.ts';

type TransactionTable = TransactionReader &
  Pick<DeliveryStore, 'join'> &
  Pick<RepairStore, 'transactionRows'>;

export const transactionItemKey = (mode: AnyMode, id: string): Item =>
  itemKeyOf(transactionKey(mode, id), eventRecord.transaction);

/** The rows of transactions in the table `events`. */
export function createTransactionTable(table: Table): TransactionTable {
  return {
    async getTransaction(mode, transactionId) {
      return toTransactionRow(await getItem(table, transactionItemKey(mode, transactionId)));
    },

    async transactionRows(mode, ids) {
      const idOf = new Map(ids.map((id) => [transactionKey(mode, id), id]));
      const keys = [...idOf.values()].map((id) => transactionItemKey(mode, id));
      const items = await getItems(table, { keys });
      return new Map(
        items.map((item) => [idOf.get(requiredText(item, events.key)) ?? '', toTransactionRow(item)]),
      );
    },

    async join({ mode, transactionId, entry, at }) {
      const row = { key: transactionItemKey(mode, transactionId), returns: 'ALL_NEW' } as const;
      const touched = { [names.joinedAt]: at };
      const set = `#${names.entries}`;
      const joined = await updateItem(table, {
        ...row,
        edit: {
          set: { ...touched, ...expiryOf(mode, at) },
          add: { [names.entries]: [entry], [names.version]: 1 },
        },
        condition: {
          text: `attribute_not_exists(${set}) OR contains(${set}, :entry) OR size(${set}) < :max`,
          values: { ':entry': entry, ':max': transactionEntriesMax },
        },
      });
      if (joined.isDone) return toTransactionRow(joined.item);
      // A repair must see that a consumer uses the row, although the row is full.
      const full = await updateItem(table, { ...row, edit: { set: touched, add: { [names.version]: 1 } } });
      return toTransactionRow(full.item);
    },
  };
}

function toTransactionRow(item: Item = {}): TransactionRow {
  const joinedAt = item[names.joinedAt]?.S;
  return {
    entries: item[names.entries]?.SS ?? [],
    ...(joinedAt !== undefined && { joinedAt }),
    version: Number(item[names.version]?.N ?? 0),
  };
}
