import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
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
import { conditionFailure } from './dynamodb.ts';
import { updateOf } from './expressions.ts';
import { getItems } from './get-items.ts';
import { expiryOf, type Item, keyOf, requiredText, toItem } from './items.ts';

type TransactionTable = TransactionReader &
  Pick<DeliveryStore, 'join'> &
  Pick<RepairStore, 'transactionRows'>;

export const transactionItemKey = (mode: AnyMode, id: string): Item =>
  toItem(keyOf(transactionKey(mode, id), eventRecord.transaction));

/** The rows of transactions in the table `events`; SDK exceptions stop here. */
export function createTransactionTable(client: DynamoDBClient, tableName: string): TransactionTable {
  async function read(Key: Item): Promise<TransactionRow> {
    const get = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
    return toTransactionRow((await client.send(get)).Item);
  }

  return {
    getTransaction: (mode, transactionId) => read(transactionItemKey(mode, transactionId)),

    async transactionRows(mode, ids) {
      const keys = [...new Set(ids)].map((id) => transactionItemKey(mode, id));
      const items = await getItems(client, { tableName, keys, consistent: true });
      const rowOf = new Map(items.map((item) => [requiredText(item, events.key), toTransactionRow(item)]));
      return new Map(
        ids.flatMap((id) => {
          const row = rowOf.get(transactionKey(mode, id));
          return row === undefined ? [] : [[id, row] as const];
        }),
      );
    },

    async join({ mode, transactionId, entry, at }) {
      const Key = transactionItemKey(mode, transactionId);
      const edit = {
        set: { [names.joinedAt]: at, ...expiryOf(mode, at) },
        add: { [names.entries]: [entry], [names.version]: 1 },
      };
      const set = `#${names.entries}`;
      const hasRoom = {
        text: `attribute_not_exists(${set}) OR contains(${set}, :entry) OR size(${set}) < :max`,
        values: { ':entry': entry, ':max': transactionEntriesMax },
      };
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key,
            ...updateOf(edit, hasRoom),
            ReturnValues: 'ALL_NEW',
          }),
        );
        return toTransactionRow(Attributes);
      } catch (error) {
        if (conditionFailure(error) === undefined) throw error;
        // A repair must see that a consumer uses the row, although the row is full.
        const touch = updateOf({ set: { [names.joinedAt]: at }, add: { [names.version]: 1 } });
        const update = new UpdateItemCommand({
          TableName: tableName,
          Key,
          ...touch,
          ReturnValues: 'ALL_NEW',
        });
        return toTransactionRow((await client.send(update)).Attributes);
      }
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
