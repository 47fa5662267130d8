import { setImmediate } from 'node:timers/promises';
import { eventKey } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { FoundBodies, RepairStore } from '../ports/stores.ts';

interface ScannedEvent {
  readonly eventId: string;
  readonly bodies?: FoundBodies | undefined;
}

/**
 * The store in which many events are compared at once: it reads for all of them together, and has the bodies
 * that a scan has read already. It commits nothing.
 */
export function createBatchedStore(
  store: RepairStore,
  mode: AnyMode,
  events: readonly ScannedEvent[],
): RepairStore {
  const scanned = new Map(events.map(({ eventId, bodies }) => [eventKey(mode, eventId), bodies]));
  return {
    ...store,
    bodiesOf: async (key) => scanned.get(key) ?? store.bodiesOf(key),
    transactionRows: together(store.transactionRows),
    orderRows: together(store.orderRows),
    commit: async () => ({ kind: 'too_large' }),
  };
}

type Read<Row> = (mode: AnyMode, ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>;

/** Makes one call of those that are made at the same moment, which are of one mode. */
function together<Row>(read: Read<Row>): Read<Row> {
  let open: { readonly ids: Set<string>; readonly rows: Promise<ReadonlyMap<string, Row>> } | undefined;
  function begin(mode: AnyMode) {
    const ids = new Set<string>();
    const rows = setImmediate().then(() => {
      open = undefined;
      return read(mode, [...ids]);
    });
    return { ids, rows };
  }
  return async (mode, given) => {
    if (given.length === 0) return new Map();
    open ??= begin(mode);
    for (const id of given) open.ids.add(id);
    const rows = await open.rows;
    return new Map(
      given.flatMap((id) => {
        const row = rows.get(id);
        return row === undefined ? [] : [[id, row] as const];
      }),
    );
  };
}
