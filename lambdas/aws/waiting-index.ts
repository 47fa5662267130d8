import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { waitingPagesMax } from '../contract/limits.ts';
import { eventAttributes, waitingIndexName, waitingPartition } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { Mode } from '../domain/signature.ts';
import type {
  WaitingName,
  WaitingPosition,
  WaitingReader,
  WaitingRow,
  WaitingSelection,
} from '../ports/waiting-reader.ts';
import { type Item, requiredText, text, textItem } from './dynamodb.ts';
import { readTexts } from './plain-item.ts';

/** Implements the port of the index of what waits. It reads a bounded number of pages of each partition. */
export function createWaitingIndex(client: DynamoDBClient, tableName: string): WaitingReader {
  const query = (selection: Partial<QueryCommandInput>) =>
    client.send(new QueryCommand({ TableName: tableName, IndexName: waitingIndexName, ...selection }));

  const all = (mode: Mode, kind: WaitingKind) => ({
    KeyConditionExpression: `${eventAttributes.waiting} = :partition`,
    ExpressionAttributeValues: { ':partition': text(waitingPartition(mode, kind)) },
  });

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
      return first && requiredText(first, eventAttributes.recordedAt);
    },

    async eventNames(mode) {
      const names: WaitingName[] = [];
      const ProjectionExpression = `event_name, ${eventAttributes.recordedAt}`;
      for await (const { Items = [] } of pages({ ...all(mode, 'event_name'), ProjectionExpression })) {
        const found = Items.map((item) => ({
          eventName: requiredText(item, 'event_name'),
          recordedAt: requiredText(item, eventAttributes.recordedAt),
        }));
        names.push(...found);
      }
      return names;
    },
  };
}

/** By the name of their value. */
const filterOf: Readonly<Record<string, string>> = {
  // An event without an order id was assigned to the order that refused it.
  ':order': '(order_id = :order OR assigned_order_id = :order)',
  ':transaction': 'transaction_id = :transaction',
};

/** By time, then by key, as the index sorts; a filter is applied to a page of 1 MB at most. */
function listQuery(selection: WaitingSelection): Omit<QueryCommandInput, 'TableName' | 'IndexName'> {
  const { mode, kind, orderId, transactionId, since, until, limit, after } = selection;
  const values = textItem({ ':order': orderId, ':transaction': transactionId });
  const filters = Object.keys(values).map((name) => filterOf[name]);
  const partition = text(waitingPartition(mode, kind));
  return {
    KeyConditionExpression: '#waiting = :partition AND #recordedAt BETWEEN :since AND :until',
    ExpressionAttributeNames: {
      '#waiting': eventAttributes.waiting,
      '#recordedAt': eventAttributes.recordedAt,
    },
    ExpressionAttributeValues: {
      ':partition': partition,
      ':since': text(since ?? '0'),
      ':until': text(until ?? '9999'),
      ...values,
    },
    // One row more shows whether there is another page.
    ...(filters.length === 0 ? { Limit: limit + 1 } : { FilterExpression: filters.join(' AND ') }),
    ...(after && {
      ExclusiveStartKey: {
        [eventAttributes.key]: text(after.key),
        [eventAttributes.record]: text(after.record),
        [eventAttributes.waiting]: partition,
        [eventAttributes.recordedAt]: text(after.recordedAt),
      },
    }),
  };
}

const toPosition = (item: Item): WaitingPosition => ({
  key: requiredText(item, eventAttributes.key),
  record: requiredText(item, eventAttributes.record),
  recordedAt: requiredText(item, eventAttributes.recordedAt),
});

const toWaitingRow = (item: Item): WaitingRow => ({ ...toPosition(item), ...readTexts(item) });
