import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { eventAttributes, eventRecord, keyUseAttributes, keyUsesKey } from '../contract/schema.ts';
import type { KeyUseWriter } from '../ports/key-uses.ts';
import { conditionFailure, text } from './dynamodb.ts';

/** Implements the port of the uses of keys in the table `events`; SDK exceptions stop here. */
export function createKeyUseTable(client: DynamoDBClient, tableName: string): KeyUseWriter {
  return {
    async putKeyUse({ mode, keyId, matchedAt }) {
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: {
              [eventAttributes.key]: text(keyUsesKey(mode)),
              [eventAttributes.record]: text(eventRecord.keyUse(keyId)),
            },
            UpdateExpression: 'SET #at = :at, #keyId = :keyId',
            ConditionExpression: 'attribute_not_exists(#at) OR #at < :at',
            ExpressionAttributeNames: {
              '#at': keyUseAttributes.lastMatchedAt,
              '#keyId': keyUseAttributes.keyId,
            },
            ExpressionAttributeValues: { ':at': text(matchedAt), ':keyId': text(keyId) },
          }),
        );
      } catch (error) {
        if (conditionFailure(error) === undefined) throw error;
      }
    },
  };
}
