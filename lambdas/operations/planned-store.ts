import { transactItemsMax } from '../contract/limits.ts';
import { eventKey, eventRecord, orderKey, transactionKey } from '../contract/schema.ts';
import type { EventRow } from '../ports/rows.ts';
import type { RepairStore, RowChange } from '../ports/stores.ts';

/**
 * The store of a dry run: what is committed is kept here, over what the tables hold, so that each repair of a
 * request finds what those before it would have changed. It changes nothing.
 */
export function createPlannedStore(store: RepairStore): RepairStore {
  const planned = new Map<string, object>();
  const placeOf = ({ key, record }: Pick<EventRow, 'key' | 'record'>): string => `${key}\n${record}`;

  /** The rows by id, those that are planned in place of those that are stored. */
  function overlay<Row>(
    ids: readonly string[],
    stored: ReadonlyMap<string, Row>,
    placeOfId: (id: string) => string,
  ) {
    const rows = ids.map(
      (id) => [id, (planned.get(placeOfId(id)) as Row | undefined) ?? stored.get(id)] as const,
    );
    return new Map(rows.filter((entry): entry is [string, Row] => entry[1] !== undefined));
  }

  return {
    ...store,
    async bodiesOf(key) {
      const found = await store.bodiesOf(key);
      if (found.kind !== 'found') return found;
      const rows = new Map<string, object>([
        ...found.rows.map((row) => [placeOf(row), row] as const),
        ...[...planned].filter(([place]) => place.startsWith(`${key}\n`)),
      ]);
      return { kind: 'found', rows: [...rows.values()] as EventRow[] };
    },
    eventRows: async (mode, ids) =>
      overlay(ids, await store.eventRows(mode, ids), (id) =>
        placeOf({ key: eventKey(mode, id), record: eventRecord.event }),
      ),
    transactionRows: async (mode, ids) =>
      overlay(ids, await store.transactionRows(mode, ids), (id) => transactionKey(mode, id)),
    orderRows: async (mode, ids) =>
      overlay(ids, await store.orderRows(mode, ids), (id) => orderKey(mode, id)),
    async commit({ events, transactions, orders, acts }) {
      const changes: (readonly [string, RowChange<object>])[] = [
        ...events.map((change) => [placeOf(change.after), change] as const),
        ...transactions.map((change) => [transactionKey(change.mode, change.transactionId), change] as const),
        ...orders.map(
          (change) => [orderKey(change.after.order.mode, change.after.order.id), change] as const,
        ),
      ];
      // A repair beside this one has planned the row meanwhile.
      const isChanged = changes.some(
        ([place, { before }]) => planned.has(place) && planned.get(place) !== before,
      );
      if (isChanged) return { kind: 'changed' };
      if (changes.length + acts.length > transactItemsMax) return { kind: 'too_large' };
      for (const [place, { before, after }] of changes) if (before !== after) planned.set(place, after);
      return { kind: 'committed' };
    },
  };
}
