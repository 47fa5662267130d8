import {
  attentionKey,
  eventRecord,
  attentionAttributes as names,
  eventAttributes as row,
  waitingPartition,
} from '../contract/schema.ts';
import type { MarkAttention } from '../ports/attention-mark.ts';
import { itemKeyOf } from './items.ts';
import { type Table, updateItem } from './table.ts';

/**
 * The orders with attention in the table `events`. When it has ended, the row stays without `waiting`: its
 * sequence keeps an older mark out. An order that never had attention has none.
 */
export function createAttentionTable(table: Table): MarkAttention {
  return async function markAttention({ mode, orderId, attention, ...mark }) {
    const hasAttention = attention.length > 0;
    const isOlder = `#${names.sequence} < :sequence`;
    await updateItem(table, {
      key: itemKeyOf(attentionKey(mode, orderId), eventRecord.attention),
      edit: hasAttention
        ? {
            set: {
              [row.waiting]: waitingPartition(mode, 'attention'),
              [row.orderId]: orderId,
              [row.reason]: attention,
              [names.sequence]: mark.sequence,
            },
            // Since when.
            setIfAbsent: { [row.recordedAt]: mark.changedAt },
          }
        : {
            set: {
              ...{ [row.waiting]: null, [row.recordedAt]: null, [row.reason]: null },
              [names.sequence]: mark.sequence,
            },
          },
      condition: {
        text: hasAttention ? `attribute_not_exists(#${names.sequence}) OR ${isOlder}` : isOlder,
        values: { ':sequence': mark.sequence },
      },
    });
  };
}
