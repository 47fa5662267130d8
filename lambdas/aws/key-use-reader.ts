import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { eventAttributes, keyUseAttributes, keyUsesKey } from '../contract/schema.ts';
import type { KeyUseReader } from '../ports/key-uses.ts';
import { requiredText, text } from './dynamodb.ts';

/** Reads the uses of keys from the table `events`. */
export function createKeyUseReader(client: DynamoDBClient, tableName: string): KeyUseReader {
  return {
    async keyUses(mode) {
      // One page of 1 MB holds thousands of keys; a service rotates a few in a lifetime.
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: `${eventAttributes.key} = :key`,
          ExpressionAttributeValues: { ':key': text(keyUsesKey(mode)) },
        }),
      );
      return Items.map((item) => ({
        mode,
        keyId: requiredText(item, keyUseAttributes.keyId),
        matchedAt: requiredText(item, keyUseAttributes.lastMatchedAt),
      }));
    },
  };
}
