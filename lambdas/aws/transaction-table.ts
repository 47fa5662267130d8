import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { transactionFactsMax, transactionOrdersMax } from '../contract/limits.ts';
import { eventAttributes, eventRecord, transactionAttributes, transactionKey } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { TransactionLeaver } from '../ports/readings.ts';
import type { TransactionRow, TransactionWriter } from '../ports/stores.ts';
import type { TransactionReader } from '../ports/transaction-reader.ts';
import { conditionFailure, type Item, rowExpiry, text } from './dynamodb.ts';

/** Implements the ports of the transactions in the table `events`; SDK exceptions stop here. */
export function createTransactionTable(
  client: DynamoDBClient,
  tableName: string,
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
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyOf(mode, transactionId),
          UpdateExpression: 'DELETE #orderIds :left SET #id = :id',
          ExpressionAttributeNames: {
            '#orderIds': transactionAttributes.orderIds,
            '#id': transactionAttributes.transactionId,
          },
          ExpressionAttributeValues: { ':left': { SS: [orderId] }, ':id': text(transactionId) },
        }),
      );
    },

    async join({ mode, transactionId, add }) {
      const Key = keyOf(mode, transactionId);
      const [set, member, max] =
        'orderId' in add
          ? [transactionAttributes.orderIds, add.orderId, transactionOrdersMax]
          : [transactionAttributes.facts, add.fact, transactionFactsMax];
      const unlessOthers = 'orderId' in add && add.unlessOthers === true;
      const expiresAt = rowExpiry(mode, new Date());
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key,
            UpdateExpression: `ADD #set :members SET #id = :id${expiresAt ? expiry : ''}`,
            ConditionExpression: `attribute_not_exists(#set) OR ${unlessOthers ? alone : room}`,
            ExpressionAttributeNames: {
              '#set': set,
              '#id': transactionAttributes.transactionId,
              ...(expiresAt && { '#expiresAt': eventAttributes.expiresAt }),
            },
            ExpressionAttributeValues: {
              ':members': { SS: [member] },
              ':member': text(member),
              ':max': { N: String(unlessOthers ? 1 : max) },
              ':id': text(transactionId),
              ...(expiresAt && { ':expiresAt': expiresAt }),
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

const expiry = ', #expiresAt = :expiresAt';
const room = 'contains(#set, :member) OR size(#set) < :max';
const alone = '(contains(#set, :member) AND size(#set) <= :max)';

const toRow = (item: Item = {}): TransactionRow => ({
  orderIds: item[transactionAttributes.orderIds]?.SS ?? [],
  facts: item[transactionAttributes.facts]?.SS ?? [],
});
