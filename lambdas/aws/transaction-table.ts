import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { transactionFactsMax, transactionOrdersMax } from '../contract/limits.ts';
import { transactionCorrectedFactsMax } from '../contract/operations-limits.ts';
import { asIn020, type RowFormat } from '../contract/row-format.ts';
import { eventAttributes, eventRecord, transactionAttributes, transactionKey } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { TransactionLeaver } from '../ports/readings.ts';
import type {
  TransactionJoin,
  TransactionReader,
  TransactionRow,
  TransactionWriter,
} from '../ports/transactions.ts';
import { conditionFailure, type Item, rowExpiry, text } from './dynamodb.ts';

/** Implements the ports of the transactions in the table `events`; SDK exceptions stop here. */
export function createTransactionTable(
  client: DynamoDBClient,
  tableName: string,
  { compact }: RowFormat = asIn020,
): TransactionWriter & TransactionReader & TransactionLeaver {
  const keyOf = (mode: AnyMode, transactionId: string): Item => ({
    [eventAttributes.key]: text(transactionKey(mode, transactionId)),
    [eventAttributes.record]: text(eventRecord.transaction),
  });

  async function read(Key: Item): Promise<TransactionRow> {
    const get = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
    return toRow((await client.send(get)).Item);
  }

  return {
    get: (mode, transactionId) => read(keyOf(mode, transactionId)),

    async leave({ mode, transactionId, orderId }) {
      const { Attributes } = await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyOf(mode, transactionId),
          UpdateExpression: 'DELETE #orderIds :left',
          ExpressionAttributeNames: { '#orderIds': transactionAttributes.orderIds },
          ExpressionAttributeValues: { ':left': { SS: [orderId] } },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return toRow(Attributes);
    },

    async join({ mode, transactionId, add }) {
      const Key = keyOf(mode, transactionId);
      const [name, member, max] = membershipOf(add);
      const unlessOthers = 'orderId' in add && add.unlessOthers === true;
      const expiresAt = rowExpiry(mode, new Date());
      const set = {
        // It follows from the key.
        ...(compact ? {} : { transactionId: text(transactionId) }),
        ...(expiresAt && { expiresAt }),
      };
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key,
            UpdateExpression: `ADD #set :members${setClause(Object.keys(set))}`,
            ConditionExpression: `attribute_not_exists(#set) OR ${unlessOthers ? alone : room}`,
            ExpressionAttributeNames: {
              '#set': name,
              ...('transactionId' in set && { '#transactionId': transactionAttributes.transactionId }),
              ...('expiresAt' in set && { '#expiresAt': eventAttributes.expiresAt }),
            },
            ExpressionAttributeValues: {
              ':members': { SS: [member] },
              ':member': text(member),
              ':max': { N: String(unlessOthers ? 1 : max) },
              ...Object.fromEntries(Object.entries(set).map(([field, value]) => [`:${field}`, value])),
            },
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return toRow(Attributes);
      } catch (error) {
        const failure = conditionFailure(error);
        if (failure === undefined) throw error;
        return failure.item === undefined ? read(Key) : toRow(failure.item);
      }
    },
  };
}

function membershipOf(add: TransactionJoin['add']): readonly [set: string, member: string, max: number] {
  const { orderIds, facts } = transactionAttributes;
  if ('orderId' in add) return [orderIds, add.orderId, transactionOrdersMax];
  if ('fact' in add) return [facts, add.fact, transactionFactsMax];
  return [facts, add.correction, transactionCorrectedFactsMax];
}

const setClause = (fields: readonly string[]): string =>
  fields.length === 0 ? '' : ` SET ${fields.map((field) => `#${field} = :${field}`).join(', ')}`;
const room = 'contains(#set, :member) OR size(#set) < :max';
const alone = '(contains(#set, :member) AND size(#set) <= :max)';

const toRow = (item: Item = {}): TransactionRow => ({
  orderIds: item[transactionAttributes.orderIds]?.SS ?? [],
  facts: item[transactionAttributes.facts]?.SS ?? [],
});
