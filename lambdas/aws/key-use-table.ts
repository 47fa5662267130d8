import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { eventAttributes, eventRecord, keyUsesKey, keyUseAttributes as names } from '../contract/schema.ts';
import type { KeyUseReader, KeyUseWriter } from '../ports/key-uses.ts';
import { unlessRefused } from './dynamodb.ts';
import { keyCondition, updateOf } from './expressions.ts';
import { keyOf, requiredText, toItem } from './items.ts';

/** The uses of keys in the table `events`; SDK exceptions stop here. */
export function createKeyUseTable(client: DynamoDBClient, tableName: string): KeyUseReader & KeyUseWriter {
  return {
    async putKeyUse({ mode, keyId, matchedAt }) {
      const at = `#${names.lastMatchedAt}`;
      const isNewer = { text: `attribute_not_exists(${at}) OR ${at} < :at`, values: { ':at': matchedAt } };
      const edit = { set: { [names.lastMatchedAt]: matchedAt, [names.keyId]: keyId } };
      const Key = toItem(keyOf(keyUsesKey(mode), eventRecord.keyUse(keyId)));
      const update = new UpdateItemCommand({ TableName: tableName, Key, ...updateOf(edit, isNewer) });
      await unlessRefused(client.send(update));
    },

    async keyUses(mode) {
      // One page of 1 MB holds thousands of keys; a service rotates a few in a lifetime.
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          ...keyCondition(`#${eventAttributes.key} = :key`, { ':key': keyUsesKey(mode) }),
        }),
      );
      return Items.map((item) => ({
        mode,
        keyId: requiredText(item, names.keyId),
        matchedAt: requiredText(item, names.lastMatchedAt),
      }));
    },
  };
}
