import { eventKey, eventOfKey, eventRecord, eventAttributes as names } from '../contract/schema.ts';
import type { DeliveryStore } from '../ports/stores.ts';
import { bodyValues, eventNameValues, eventValues } from './event-item.ts';
import { isAbsent, isAsRead } from './expressions.ts';
import { expiryOf, itemKeyOf } from './items.ts';
import { putItem, type Table, updateItem } from './table.ts';

/** The writes of a first delivery to rows of events. */
export function createDeliveryTable(table: Table): Omit<DeliveryStore, 'join' | 'merge'> {
  return {
    async put(row) {
      return (await putItem(table, eventValues(row), isAbsent(names.key))).isDone;
    },

    async putBody(row) {
      const expiry = expiryOf(eventOfKey(row.key)?.mode ?? 'live', new Date().toISOString());
      const values = { ...bodyValues(row), ...(row.expiresAt === undefined && expiry) };
      await putItem(table, values, isAbsent(names.key));
    },

    async putEventName(row) {
      const isNew = `attribute_not_exists(#${names.waiting}) OR #${names.recordedAt} > :recorded`;
      await putItem(table, eventNameValues({ ...row, waiting: 'event_name' }), {
        text: `attribute_not_exists(#${names.judged}) AND (${isNew})`,
        values: { ':recorded': row.recordedAt },
      });
    },

    async settle({ mode, eventId, orderIds }) {
      const { isDone } = await updateItem(table, {
        key: itemKeyOf(eventKey(mode, eventId), eventRecord.event),
        edit: {
          set: { [names.outcome]: 'applied', [names.waiting]: undefined },
          add: { [names.assignedOrderIds]: orderIds, [names.version]: 1 },
        },
        condition: isAsRead(names.key, names.version, 0),
      });
      return isDone;
    },

    async expireBody({ key, bodySha256 }, expiresAt) {
      await updateItem(table, {
        key: itemKeyOf(key, eventRecord.body(bodySha256)),
        edit: { setIfAbsent: { [names.expiresAt]: expiresAt } },
        condition: { text: `attribute_exists(#${names.body})` },
      });
    },
  };
}
