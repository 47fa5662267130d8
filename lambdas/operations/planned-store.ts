import { transactItemsMax } from '../contract/limits.ts';
import { eventKey, eventRecord, orderKey, transactionKey } from '../contract/schema.ts';
import type { EventRow, OrderRow, TransactionRow } from '../ports/rows.ts';
import type { Changes, RepairStore } from '../ports/stores.ts';

/**
 * The store of a dry run: what is committed is kept here, over what the tables hold, so that each repair of a
 * request finds what those before it would have changed. It changes nothing.
 */
export function createPlannedStore(store: RepairStore): RepairStore {
  const events = new Map<string, EventRow>();
  const transactions = new Map<string, TransactionRow>();
  const orders = new Map<string, OrderRow>();
  const nameOf = ({ key, record }: Pick<EventRow, 'key' | 'record'>): string => JSON.stringify([key, record]);

  /** Rows that a repair beside this one has planned meanwhile. */
  const isOutdated = (changes: Changes): boolean =>
    changes.events.some(({ before, after }) =>
      isOther(events.get(nameOf(after))?.version, before?.version),
    ) ||
    changes.transactions.some(({ mode, transactionId, before }) =>
      isOther(transactions.get(transactionKey(mode, transactionId))?.version, before?.version),
    ) ||
    changes.orders.some(({ before, after: { order } }) =>
      isOther(orders.get(orderKey(order.mode, order.id))?.sequence, before?.sequence),
    );

  return {
    ...store,

    async bodiesOf(mode, eventId) {
      const found = await store.bodiesOf(mode, eventId);
      if (found.kind !== 'found') return found;
      const key = eventKey(mode, eventId);
      const planned = [...events.values()].filter((row) => row.key === key);
      const records = new Set(planned.map(({ record }) => record));
      return {
        kind: 'found',
        rows: [...found.rows.filter(({ record }) => !records.has(record)), ...planned],
      };
    },

    async eventRows(mode, eventIds) {
      const planned = eventIds.flatMap((id): [string, EventRow][] => {
        const row = events.get(nameOf({ key: eventKey(mode, id), record: eventRecord.event }));
        return row === undefined ? [] : [[id, row]];
      });
      return new Map([...(await store.eventRows(mode, eventIds)), ...planned]);
    },

    transactionRows: async (mode, ids) =>
      overlaid(await store.transactionRows(mode, ids), ids, (id) =>
        transactions.get(transactionKey(mode, id)),
      ),

    orderRows: async (mode, ids) =>
      overlaid(await store.orderRows(mode, ids), ids, (id) => orders.get(orderKey(mode, id))),

    async commit(changes) {
      if (isOutdated(changes)) return { kind: 'changed' };
      if (Object.values(changes).flat().length > transactItemsMax) return { kind: 'too_large' };
      for (const { before, after } of changes.events)
        if (before !== after) events.set(nameOf(after), { ...after, version: after.version + 1 });
      for (const { mode, transactionId, before, after } of changes.transactions)
        if (before !== after)
          transactions.set(transactionKey(mode, transactionId), { ...after, version: after.version + 1 });
      for (const { before, after } of changes.orders)
        if (before !== after) orders.set(orderKey(after.order.mode, after.order.id), after);
      return { kind: 'committed' };
    },
  };
}

const isOther = (planned: number | undefined, read: number | undefined): boolean =>
  planned !== undefined && planned !== read;

function overlaid<Row>(
  stored: ReadonlyMap<string, Row>,
  ids: readonly string[],
  planned: (id: string) => Row | undefined,
): ReadonlyMap<string, Row> {
  const found = ids.map((id) => [id, planned(id) ?? stored.get(id)] as const);
  return new Map(found.filter((entry): entry is [string, Row] => entry[1] !== undefined));
}
