import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { waitingPagesMax } from '../contract/limits.ts';
import {
  eventOfKey,
  eventAttributes as names,
  waitingIndexName,
  waitingPartition,
} from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { Mode } from '../domain/signature.ts';
import type {
  WaitingName,
  WaitingPosition,
  WaitingReader,
  WaitingRow,
  WaitingSelection,
} from '../ports/waiting-reader.ts';
import { bodySha256In } from './event-item.ts';
import { keyCondition, placeholders } from './expressions.ts';
import { defined, fieldsOf, type Item, keyOf, requiredText, toItem } from './items.ts';

/** Implements the port of the index of what waits. It reads a bounded number of pages of each partition. */
export function createWaitingIndex(client: DynamoDBClient, tableName: string): WaitingReader {
  const query = (selection: Partial<QueryCommandInput>) =>
    client.send(new QueryCommand({ TableName: tableName, IndexName: waitingIndexName, ...selection }));

  const all = (mode: Mode, kind: WaitingKind) =>
    keyCondition(`#${names.waiting} = :partition`, { ':partition': waitingPartition(mode, kind) });

  async function* pages(selection: Partial<QueryCommandInput>) {
    let from: Item | undefined;
    for (let page = 0; page < waitingPagesMax; page += 1) {
      const result = await query({ ...selection, ExclusiveStartKey: from });
      yield result;
      from = result.LastEvaluatedKey;
      if (from === undefined) return;
    }
  }

  return {
    async list(selection) {
      const { Items = [], LastEvaluatedKey } = await query(listQuery(selection));
      const rows = Items.slice(0, selection.limit).map(toWaitingRow);
      const isCut = Items.length > rows.length;
      const last = isCut ? rows.at(-1) : LastEvaluatedKey && toPosition(LastEvaluatedKey);
      return { rows, next: last && { key: last.key, record: last.record, recordedAt: last.recordedAt } };
    },

    async count(mode, kind) {
      let count = 0;
      for await (const { Count = 0 } of pages({ ...all(mode, kind), Select: 'COUNT' })) count += Count;
      return count;
    },

    async oldest(mode, kind) {
      const { Items: [first] = [] } = await query({ ...all(mode, kind), Limit: 1 });
      return first && requiredText(first, names.recordedAt);
    },

    async eventNames(mode) {
      const found: WaitingName[] = [];
      for await (const { Items = [] } of pages(all(mode, 'event_name'))) {
        for (const item of Items) {
          const eventName = item[names.eventName]?.S;
          if (eventName) found.push({ eventName, recordedAt: requiredText(item, names.recordedAt) });
        }
      }
      return found;
    },
  };
}

/** By time, then by key, as the index sorts; a filter is applied to a page of 1 MB at most. */
function listQuery(selection: WaitingSelection): Omit<QueryCommandInput, 'TableName' | 'IndexName'> {
  const { mode, kind, orderId, transactionId, since = '0', until = '9999', limit, after } = selection;
  const partition = waitingPartition(mode, kind);
  const filter = [
    // An event that names no order is assigned to those that refused it.
    orderId && `(#${names.orderId} = :order OR contains(#${names.assignedOrderIds}, :order))`,
    transactionId && `#${names.transactionId} = :transaction`,
  ]
    .filter(Boolean)
    .join(' AND ');
  const isWithin = `#${names.recordedAt} BETWEEN :since AND :until`;
  const KeyConditionExpression = `#${names.waiting} = :partition AND ${isWithin}`;
  const values = { ':partition': partition, ':since': since, ':until': until };
  const position = after && {
    ...keyOf(after.key, after.record),
    ...{ [names.waiting]: partition, [names.recordedAt]: after.recordedAt },
  };
  return {
    KeyConditionExpression,
    ...placeholders(`${KeyConditionExpression} ${filter}`, {
      ...values,
      ':order': orderId,
      ':transaction': transactionId,
    }),
    // One row more shows whether there is another page.
    ...(filter === '' ? { Limit: limit + 1 } : { FilterExpression: filter }),
    ...(position && { ExclusiveStartKey: toItem(position) }),
  };
}

const toPosition = (item: Item): WaitingPosition => ({
  key: requiredText(item, names.key),
  record: requiredText(item, names.record),
  recordedAt: requiredText(item, names.recordedAt),
});

/** What was damaged is absent, so that it hides neither the rest of the row nor the others. */
const text = v.fallback(v.optional(v.string()), undefined);
const rowFormat = v.object({
  ...{ eventName: text, orderId: text, transactionId: text, receivedAt: text, keyId: text },
  ...{ outcome: text, reason: text, assignedOrderIds: v.fallback(v.optional(v.array(v.string()), []), []) },
});

function toWaitingRow(item: Item): WaitingRow {
  const position = toPosition(item);
  const ids = {
    eventId: eventOfKey(position.key)?.id ?? item[names.eventId]?.S,
    bodySha256: bodySha256In(item),
  };
  const { assignedOrderIds, ...fields } = v.parse(rowFormat, fieldsOf(item));
  const assigned = { assignedOrderIds: assignedOrderIds.toSorted() };
  return defined<object>({ ...position, ...ids, ...fields, ...assigned }) as WaitingRow;
}
