import { eventAttributes, eventRecord, keyUsesKey, keyUseAttributes as names } from '../contract/schema.ts';
import type { KeyUseReader, KeyUseWriter } from '../ports/stores.ts';
import { itemKeyOf, requiredText } from './items.ts';
import { queryPage, type Table, updateItem } from './table.ts';

/** The uses of keys in the table `events`. */
export function createKeyUseTable(table: Table): KeyUseReader & KeyUseWriter {
  return {
    async putKeyUse({ mode, keyId, matchedAt }) {
      const at = `#${names.lastMatchedAt}`;
      await updateItem(table, {
        key: itemKeyOf(keyUsesKey(mode), eventRecord.keyUse(keyId)),
        edit: { set: { [names.lastMatchedAt]: matchedAt, [names.keyId]: keyId } },
        condition: { text: `attribute_not_exists(${at}) OR ${at} < :at`, values: { ':at': matchedAt } },
      });
    },

    async keyUses(mode) {
      const where = { text: `#${eventAttributes.key} = :key`, values: { ':key': keyUsesKey(mode) } };
      // One page of 1 MB holds thousands of keys; a service rotates a few in a lifetime.
      const { items } = await queryPage(table, { where });
      return items.map((item) => ({
        mode,
        keyId: requiredText(item, names.keyId),
        matchedAt: requiredText(item, names.lastMatchedAt),
      }));
    },
  };
}
