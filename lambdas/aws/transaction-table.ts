import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { transactionFactsMax, transactionOrdersMax } from '../contract/limits.ts';
import { eventAttributes, eventRecord, transactionAttributes, transactionKey } from '../contract/schema.ts';
import type { TransactionRow, TransactionWriter } from '../ports/stores.ts';
import { conditionFailure, type Item, text } from './dynamodb.ts';

/** Implements the port of the transactions in the table `events`; SDK exceptions stop here. */
export function createTransactionTable(client: DynamoDBClient, tableName: string): TransactionWriter {
  return {
    async join({ mode, transactionId, add }) {
      const Key: Item = {
        [eventAttributes.key]: text(transactionKey(mode, transactionId)),
        [eventAttributes.record]: text(eventRecord.transaction),
      };
      const [set, member, max] =
        'orderId' in add
          ? [transactionAttributes.orderIds, add.orderId, transactionOrdersMax]
          : [transactionAttributes.facts, add.fact, transactionFactsMax];
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key,
            UpdateExpression: 'ADD #set :members SET #id = :id',
            ConditionExpression: 'attribute_not_exists(#set) OR contains(#set, :member) OR size(#set) < :max',
            ExpressionAttributeNames: { '#set': set, '#id': transactionAttributes.transactionId },
            ExpressionAttributeValues: {
              ':members': { SS: [member] },
              ':member': text(member),
              ':max': { N: String(max) },
              ':id': text(transactionId),
            },
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return toRow(Attributes);
      } catch (error) {
        const failure = conditionFailure(error);
        if (failure === undefined) throw error;
        if (failure.item !== undefined) return toRow(failure.item);
        const read = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
        return toRow((await client.send(read)).Item);
      }
    },
  };
}

const toRow = (item: Item = {}): TransactionRow => ({
  orderIds: item[transactionAttributes.orderIds]?.SS ?? [],
  facts: item[transactionAttributes.facts]?.SS ?? [],
});
